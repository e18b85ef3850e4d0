package io.lastcall.faults.subject;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Which act stands where, from text such as {@code step:DRAIN=hang,hook=loop}. */
final class Places {
  private final List<String[]> entries = new ArrayList<>();

  private Places() {}

  static Places parse(String text) {
    Places places = new Places();
    for (String entry : text.split(",", -1)) {
      if (!entry.isEmpty()) {
        places.entries.add(entry.split("=", 2));
      }
    }
    return places;
  }

  static Act act(String name) {
    return Act.valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  /** Returns the names of what stands there, in the order in which it was named. */
  List<String> at(String place) {
    return entries.stream().filter(entry -> entry[0].equals(place)).map(entry -> entry[1]).toList();
  }

  void run(String place) {
    at(place).forEach(name -> act(name).run());
  }
}
