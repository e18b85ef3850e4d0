package io.lastcall.rollout.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResponseReaderTest {
  private static final String OK = "HTTP/1.1 200 OK\r\n";

  private static InputStream bytes(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static Reply read(String text) {
    return new ResponseReader(bytes(text)).read();
  }

  private static Reply.Complete complete(Reply reply) {
    return assertInstanceOf(Reply.Complete.class, reply);
  }

  private static Outcome broken(Reply reply) {
    return assertInstanceOf(Reply.Broken.class, reply).outcome();
  }

  static Stream<Arguments> wholeResponses() {
    return Stream.of(
        arguments("length", OK + "Content-Length: 5\r\n\r\nhello", false, "hello"),
        arguments("bare newlines", "HTTP/1.1 200 OK\nContent-Length: 2\n\nok", false, "ok"),
        arguments("no reason", "HTTP/1.1 200\r\ncontent-length:0\r\n\r\n", false, ""),
        arguments(
            "chunks",
            OK + "Transfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2;x=y\r\nlo\r\n0\r\nA: b\r\n\r\n",
            false,
            "hello"),
        arguments("close", OK + "Connection: close\r\nContent-Length: 2\r\n\r\nok", true, "ok"),
        arguments(
            "close in a list",
            OK + "connection: Upgrade, Close\r\nContent-Length: 0\r\n\r\n",
            true,
            ""),
        arguments(
            "other word", OK + "Connection: not-close\r\nContent-Length: 0\r\n\r\n", false, ""),
        arguments("until close", OK + "\r\nhello", true, "hello"),
        arguments("HTTP/1.0", "HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\nx", true, "x"),
        arguments(
            "interim",
            "HTTP/1.1 100 Continue\r\n\r\n" + OK + "Content-Length: 1\r\n\r\nx",
            false,
            "x"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("wholeResponses")
  void read_wholeResponse_isComplete(String name, String text, boolean close, String body) {
    Reply.Complete reply = complete(read(text));

    assertEquals(200, reply.status(), name);
    assertEquals(close, reply.close(), name);
    assertEquals(body, reply.body(), name);
  }

  @Test
  void read_twoResponsesInOneRead_givesBothInOrder() {
    ResponseReader reader =
        new ResponseReader(
            bytes(
                OK
                    + "Content-Length: 1\r\n\r\na"
                    + "HTTP/1.1 503 Busy\r\nConnection: close\r\nContent-Length: 1\r\n\r\nb"));

    assertEquals("a", complete(reader.read()).body());
    assertEquals(503, complete(reader.read()).status());
    assertEquals(Outcome.EOF, broken(reader.read()));
  }

  @Test
  void read_noContent_hasNoBody() {
    assertEquals("", complete(read("HTTP/1.1 204 No Content\r\n\r\n")).body());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "H",
        "HTTP/1.1 200 OK\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n",
      })
  void read_streamThatEndsTooEarly_isTruncated(String text) {
    assertEquals(Outcome.TRUNCATED, broken(read(text)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SSH-2.0-x\r\n",
        "HTTP/1.1 2000 OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: five\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhello\r\n0\r\n\r\n",
      })
  void read_bytesThatAreNotHttp_areWrong(String text) {
    assertEquals(Outcome.WRONG_BODY, broken(read(text)));
  }

  @Test
  void read_nothing_isEof() {
    assertEquals(Outcome.EOF, broken(read("")));
  }

  @Test
  void read_resetBeforeAByte_isReset() {
    assertEquals(Outcome.RESET, broken(failing("", new SocketException("Connection reset"))));
  }

  @Test
  void read_resetInAResponse_isTruncated() {
    assertEquals(
        Outcome.TRUNCATED,
        broken(
            failing(OK + "Content-Length: 9\r\n\r\nhel", new SocketException("Connection reset"))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "HTTP/1.1 200 OK\r\n"})
  void read_silence_isTimeout(String before) {
    assertEquals(Outcome.TIMEOUT, broken(failing(before, new SocketTimeoutException("silence"))));
  }

  private static Reply failing(String before, IOException failure) {
    InputStream failingStream =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw failure;
          }

          @Override
          public int read(byte[] target, int offset, int length) throws IOException {
            throw failure;
          }
        };
    return new ResponseReader(new SequenceInputStream(bytes(before), failingStream)).read();
  }
}
