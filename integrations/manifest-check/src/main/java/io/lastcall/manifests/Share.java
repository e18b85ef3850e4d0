package io.lastcall.manifests;

/** A number of Pods that is given as such, or in per cent of the replicas. */
final class Share {
  private Share() {}

  static int of(String text, int replicas, boolean up) {
    if (text.matches("\\d{1,4}%")) {
      long hundredths = Long.parseLong(text.replace("%", "")) * replicas;
      return (int) (up ? (hundredths + 99) / 100 : hundredths / 100);
    }
    return text.matches("\\d{1,9}") ? Integer.parseInt(text) : 1;
  }
}
