package io.lastcall.faults;

import java.util.List;

/** What came of a fault. */
record Result(
    Fault fault,
    int code,
    boolean killed,
    double seconds,
    int sent,
    int lost,
    Records records,
    List<String> notes) {

  Result {
    notes = List.copyOf(notes);
  }
}
