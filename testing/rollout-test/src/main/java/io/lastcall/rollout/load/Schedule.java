package io.lastcall.rollout.load;

/** Decides the requests of a load, in the order of their times. Asked by one thread. */
@FunctionalInterface
public interface Schedule {
  Arrival next();
}
