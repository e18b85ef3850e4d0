package io.lastcall.manifests;

import java.math.BigDecimal;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A quantity as Kubernetes writes it: 500m, 2, 1.5Gi. */
final class Quantity {
  private static final Pattern FORM =
      Pattern.compile("(\\d{1,18}(?:\\.\\d{1,9})?)(m|[kKMGTPE]i?)?");

  private static final String PREFIXES = "kMGTPE";

  private Quantity() {}

  static Optional<BigDecimal> parse(String text) {
    Matcher parts = FORM.matcher(text);
    if (!parts.matches()) {
      return Optional.empty();
    }
    BigDecimal number = new BigDecimal(parts.group(1));
    String suffix = parts.group(2);
    if (suffix == null) {
      return Optional.of(number);
    }
    if (suffix.equals("m")) {
      return Optional.of(number.movePointLeft(3));
    }
    int power = PREFIXES.indexOf(suffix.replace('K', 'k').charAt(0)) + 1;
    BigDecimal base = BigDecimal.valueOf(suffix.endsWith("i") ? 1024 : 1000);
    return Optional.of(number.multiply(base.pow(power)));
  }
}
