package io.lastcall.rollout.load;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** A request's header block (HPACK, RFC 7541): from the static table, else literals. */
final class Http2Fields {
  private Http2Fields() {}

  static byte[] of(Request request, boolean tls) {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    switch (request.method()) {
      case "GET" -> block.write(0x82);
      case "POST" -> block.write(0x83);
      default -> literal(block, request.method(), 2); // :method
    }
    block.write(tls ? 0x87 : 0x86); // :scheme
    literal(block, request.target(), 4); // :path
    literal(block, "service", 1); // :authority
    request
        .fields()
        .forEach(
            (name, value) -> {
              block.write(0);
              text(block, name.toLowerCase(Locale.ROOT));
              text(block, value);
            });
    if (request.hasBody()) {
      literal(block, Integer.toString(request.length()), 15, 13); // content-length
    }
    return block.toByteArray();
  }

  private static void literal(ByteArrayOutputStream block, String value, int... name) {
    for (int part : name) {
      block.write(part);
    }
    text(block, value);
  }

  /** With its length as an integer of seven bits and more, section 5.1. */
  private static void text(ByteArrayOutputStream block, String value) {
    byte[] bytes = value.getBytes(StandardCharsets.ISO_8859_1);
    int rest = bytes.length - 127;
    block.write(Math.min(bytes.length, 127));
    if (rest >= 0) {
      for (; rest >= 128; rest >>= 7) {
        block.write(0x80 | (rest & 0x7F));
      }
      block.write(rest);
    }
    block.writeBytes(bytes);
  }
}
