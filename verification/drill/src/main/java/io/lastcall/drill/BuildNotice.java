package io.lastcall.drill;

/** What {@code mvn -Pdrill} prints before its build, which is silent. Maven runs the source. */
final class BuildNotice {
  private BuildNotice() {}

  public static void main(String[] arguments) {
    System.out.println("Building Lastcall and the example servers, without tests and checks.");
  }
}
