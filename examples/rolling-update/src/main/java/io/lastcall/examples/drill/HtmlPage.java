package io.lastcall.examples.drill;

final class HtmlPage {
  private HtmlPage() {}

  static String of(DrillResult result) {
    return "";
  }
}
