package io.lastcall.drill;

/** What clients ask for, and how often. */
enum RequestKind {
  FAST("fast", 45),
  SLOW("slow", 13),
  ASYNC("slow async", 12),
  STREAM("stream", 7),
  /** A finite event stream in answer to POST, as a chat's: its client would not come back. */
  EVENTS("events", 6),
  UPLOAD("upload", 12),
  /** Two fast requests written at once on one keep-alive connection (RFC 9112 section 9.3.2). */
  PIPELINED("pipelined", 5);

  private final String label;
  private final int percent;

  RequestKind(String label, int percent) {
    this.label = label;
    this.percent = percent;
  }

  String label() {
    return label;
  }

  /** The kind at a point of the unit interval, each kind as wide as its share. */
  static RequestKind at(double uniform) {
    double rest = uniform * 100;
    for (RequestKind kind : values()) {
      rest -= kind.percent;
      if (rest < 0) {
        return kind;
      }
    }
    return FAST;
  }
}
