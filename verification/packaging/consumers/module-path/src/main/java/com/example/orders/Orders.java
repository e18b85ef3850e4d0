package com.example.orders;

import io.lastcall.GracefulShutdown;
import io.lastcall.annotation.OnShutdown;
import io.lastcall.phase.Phase;

/** Its probes are on a port of their own, which an automatic module serves that nothing requires. */
public final class Orders {
  private Orders() {}

  public static void main(String[] args) throws InterruptedException {
    GracefulShutdown.builder().components(new Orders()).install();
    Thread.currentThread().join();
  }

  @OnShutdown(phase = Phase.CLOSE_CONNECTIONS)
  void closePool() {
    System.out.println("pool closed");
  }
}
