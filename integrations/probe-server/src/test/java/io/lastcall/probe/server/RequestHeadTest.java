package io.lastcall.probe.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a head costs: it is read by the one thread that answers all probes. */
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
class RequestHeadTest {
  /** Whoever looks at each part of a head more than once never ends with one of this length. */
  private static final int LONG = 2_000_000;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /livez HTTP/1.1\r\nX:~\u0001",
        "GET /livez HTTP/1.1\r\nX: ~\r~x",
        "GET /livez HTTP/1.1\r\n~:",
        "GET /livez~HTTP/1.1\r\n",
      })
  void parse_malformed_costsWhatItsLengthCosts(String head) {
    byte[] bytes =
        (head.replace("~", " ".repeat(LONG)) + "\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1);
    assertEquals(Optional.empty(), RequestHead.parse(bytes, bytes.length));
  }
}
