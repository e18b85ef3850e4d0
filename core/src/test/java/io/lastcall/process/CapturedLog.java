package io.lastcall.process;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** What a test's shutdown logs: slf4j-simple writes to System.err. Printed if the test fails. */
public final class CapturedLog implements BeforeEachCallback, AfterEachCallback {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private Optional<PrintStream> real = Optional.empty();

  /** Creates an empty log. */
  public CapturedLog() {}

  @Override
  public void beforeEach(ExtensionContext context) {
    real = Optional.of(System.err);
    System.setErr(new PrintStream(bytes, true, StandardCharsets.UTF_8));
  }

  @Override
  public void afterEach(ExtensionContext context) {
    real.ifPresent(System::setErr);
    if (context.getExecutionException().isPresent()) {
      System.err.println(text());
    }
  }

  /** Returns everything logged so far. */
  public String text() {
    if (!ShutdownLog.flush(Deadline.after(PATIENCE, Ticker.system()))) {
      throw new AssertionError("The log's thread hangs");
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  /** Fails unless {@code part} was logged. */
  public void assertLogged(String part) {
    assertTrue(text().contains(part), () -> "Not logged: " + part + "\nbut:\n" + text());
  }

  /** Waits until {@code part} is logged. */
  public void awaitLogged(String part) {
    Awaitility.await().alias(part).until(() -> text().contains(part));
  }
}
