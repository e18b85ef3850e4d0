package io.lastcall;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.plan.ReportLog;
import io.lastcall.process.CapturedLog;
import io.lastcall.process.FakeJvm.Ending;
import io.lastcall.report.ShutdownReport;
import io.lastcall.time.Deadline;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** What a shutdown leaves behind: in the log, in the termination message, in a file. */
class ReportWriterTest {
  @RegisterExtension final CapturedLog log = new CapturedLog();
  private final Harness harness = new Harness();
  @TempDir private Path folder = Path.of("");

  @Test
  void log_ofACleanShutdown_isSixInfoEventsAndNoWarning() {
    harness.install();
    String before = log.text();
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServing();
    harness.jvm.awaitEnding();

    String text = log.text().substring(before.length());
    long infos = text.lines().filter(line -> line.startsWith("INFO ")).count();
    assertEquals(6, infos, text);
    assertFalse(text.contains("WARN "), text);
    log.assertLogged("phase=DRAIN planned_ms=12600 DRAIN for up to 12600 ms: 0 requests in flight");
    log.assertLogged(
        "outcome=CLEAN exit_code=0 took_ms=15000 served=0 late=0 refused=0 abandoned=0 Shutdown"
            + " clean after 15000 ms (SIGTERM), exit code 0\n");
  }

  @Test
  void log_oneLine_isOneLine() {
    harness.builder().reportLog(ReportLog.ONE_LINE);
    harness.terminate();
    harness.passKeepServing();
    harness.jvm.awaitEnding();
    log.assertLogged(
        "Shutdown clean after 15000 ms (SIGTERM), exit code 0; KEEP_SERVING 15 s, FAIL_READINESS 0"
            + " ms, DRAIN 0 ms, CLOSE_CONNECTIONS 0 ms, EXIT 0 ms; requests served 0, late 0,"
            + " refused 0, abandoned 0 since the trigger\n");
  }

  @Test
  void reportFile_ofACleanShutdown_holdsTheReport() throws IOException {
    Path file = folder.resolve("report.json");
    harness.builder().reportFile(file);
    harness.install();
    Harness.join(harness.jvm.raise("TERM"));
    harness.awaitSequenceUntil(11_250);
    harness.ticker.advanceTo(Duration.ofMillis(6_250));
    assertTrue(harness.enter("GET /later").release());
    harness.pass(11_250);
    harness.pass(15_000);
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());

    String json = Files.readString(file);
    assertTrue(json.startsWith("{\"schema\":2,\"outcome\":\"CLEAN\",\"exitCode\":0,"), json);
    assertTrue(json.contains("\"lastArrival\":6250"), json);
  }

  @Test
  void reportFile_everythingTookAllItsTime_isWrittenAndListenersAreTold() throws IOException {
    Path file = folder.resolve("report.json");
    FakeServer stuck =
        new FakeServer("web", harness) {
          @Override
          public void stop(Deadline deadline) {
            Harness.hang();
          }
        };
    stuck.connectionsEnded.complete(null);
    harness.builder().reportFile(file).server(stuck);
    harness.drainInVain();
    harness.pass(28_250);
    assertEquals(new Ending("exit", 80), harness.jvm.awaitEnding());

    assertEquals(1, harness.report().requests().abandoned());
    assertEquals(harness.report().json(), Files.readString(file));
  }

  /** A pipe that nobody reads: who opens it waits. */
  @Test
  void reportFile_hangs_keepsNobodyElseFromBeingToldAndNotTheExit()
      throws IOException, InterruptedException {
    Path pipe = folder.resolve("report.json");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    harness.builder().reportFile(pipe);
    GracefulShutdown shutdown = harness.terminate();
    harness.passKeepServing();

    ShutdownReport report = harness.report();
    assertEquals(report, Harness.result(shutdown.begin("again")));
    assertTrue(harness.jvm.runs());
    harness.pass(16_000);
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    log.assertLogged("The report file is not written in time");
    awaitWrittenTo(pipe, report.json());
  }

  /** Lets go of whoever waits for a reader. */
  private static void awaitWrittenTo(Path pipe, String end) throws IOException {
    StringBuilder text = new StringBuilder();
    try (FileChannel reader =
        FileChannel.open(pipe, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer bytes = ByteBuffer.allocate(1 << 16);
      while (!text.toString().endsWith(end)) {
        reader.read(bytes);
        text.append(UTF_8.decode(bytes.flip()));
        bytes.clear();
      }
    }
  }

  @Test
  void begin_beforeTheEnd_saysThatItNeverEnded() throws IOException {
    Path termination = Files.createFile(folder.resolve("termination-log"));
    Path file = folder.resolve("report.json");
    ShutdownReport report = report();
    ReportWriter writer = writer(termination, file);

    writer.begin(report.trigger());

    assertEquals("Shutdown (SIGTERM) has begun and never ended\n", Files.readString(termination));
    assertEquals("{\"schema\":2,\"outcome\":\"UNFINISHED\"}", Files.readString(file));
  }

  @Test
  void begin_behindTheEnd_changesNothing() throws IOException {
    Path termination = Files.createFile(folder.resolve("termination-log"));
    Path file = folder.resolve("report.json");
    ShutdownReport report = report();
    ReportWriter writer = writer(termination, file);

    write(writer, report);
    writer.begin(report.trigger());
    writer.halting("DRAIN hangs");

    assertEquals(report.terminationMessage(), Files.readString(termination));
    assertEquals(report.json(), Files.readString(file));
  }

  @Test
  void haltingBehindReport_standsInFrontOfIt() throws IOException {
    Path termination = Files.createFile(folder.resolve("termination-log"));
    ReportWriter writer = writer(termination, folder.resolve("report.json"));

    ShutdownReport report = report();
    write(writer, report);
    writer.haltingBehindReport("exit hangs");

    assertEquals("exit hangs\n" + report.terminationMessage(), Files.readString(termination));
  }

  @Test
  void write_interrupted_writesAllTheSameAndStaysInterrupted() throws IOException {
    Path termination = Files.createFile(folder.resolve("termination-log"));
    ShutdownReport report = report();
    ReportWriter writer = writer(termination, folder.resolve("report.json"));

    Thread.currentThread().interrupt();
    write(writer, report);

    assertTrue(Thread.interrupted());
    assertEquals(report.terminationMessage(), Files.readString(termination));
  }

  @Test
  void isWritable_fileThatIsThereOrCanBeMade_isTrue() throws IOException {
    assertTrue(LastWords.in(folder.resolve("report.json")).isWritable());
    Path existing = Files.createFile(folder.resolve("old.json"));
    assertTrue(LastWords.in(existing).isWritable());
  }

  @Test
  void install_reportFileThatCannotBe_isToldAtOnce() {
    harness.builder().reportFile(folder.resolve("missing").resolve("report.json"));
    harness.install().uninstall();
    log.assertLogged(
        "report-file=%s cannot be written as things are; allowed: a file in a directory that exists"
            .formatted(folder.resolve("missing").resolve("report.json")));
  }

  @Test
  void isWritable_directory_isFalse() {
    assertFalse(LastWords.in(folder).isWritable());
  }

  @Test
  void write_withoutATerminationFile_makesNone() {
    Path termination = folder.resolve("termination-log");
    write(writer(termination, folder.resolve("report.json")), report());
    assertFalse(Files.exists(termination));
  }

  @Test
  void write_fileThatCannotBe_isLoggedAndStopsNothing() {
    write(
        writer(folder.resolve("termination-log"), folder.resolve("missing").resolve("report.json")),
        report());
    log.assertLogged("Could not write " + folder.resolve("missing").resolve("report.json"));
  }

  @Test
  void replace_fileSystemIsFull_leavesWhatWasSaidBefore() throws IOException {
    LastWords words = LastWords.in(folder.resolve("report.json"));
    LimitedChannel file = new LimitedChannel(5);
    words.replace(file, "begun".getBytes(UTF_8));
    // As the next opening does.
    file.truncate(0);
    assertThrows(IOException.class, () -> words.replace(file, "report".getBytes(UTF_8)));
    assertEquals("begun", file.text());
  }

  /** A file on a file system that has room for so many bytes. */
  private record LimitedChannel(int room, ByteArrayOutputStream bytes)
      implements SeekableByteChannel {
    LimitedChannel(int room) {
      this(room, new ByteArrayOutputStream());
    }

    String text() {
      return bytes.toString(UTF_8);
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
      int fits = Math.min(source.remaining(), room - bytes.size());
      if (fits == 0) {
        throw new IOException("No space left on device");
      }
      byte[] part = new byte[fits];
      source.get(part);
      bytes.writeBytes(part);
      return fits;
    }

    @Override
    public SeekableByteChannel truncate(long size) {
      assertEquals(0, size);
      bytes.reset();
      return this;
    }

    @Override
    public int read(ByteBuffer target) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long position() {
      return bytes.size();
    }

    @Override
    public SeekableByteChannel position(long position) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long size() {
      return bytes.size();
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }

  private ReportWriter writer(Path termination, Path file) {
    return new ReportWriter(
        LoggerFactory.getLogger(GracefulShutdown.class), termination, Optional.of(file));
  }

  private void write(ReportWriter writer, ShutdownReport report) {
    writer.write(report);
    writer.awaitFile(Deadline.after(Duration.ofSeconds(30), harness.ticker));
  }

  private ShutdownReport report() {
    harness.terminate();
    harness.passKeepServing();
    harness.jvm.awaitEnding();
    return harness.report();
  }
}
