package io.lastcall.faults.subject;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * An output that breaks once the service is up: {@code log=ACT} at each line that is logged, {@code
 * output=fill} by a thread that writes until the pipe is full.
 */
final class BrokenOutput {
  private final List<String> acts;
  private final boolean fills;
  private final Control control;
  private volatile boolean broken;

  BrokenOutput(Places places, Control control) {
    this.acts = places.at("log");
    this.fills = places.at("output").contains("fill");
    this.control = control;
  }

  /** Takes the place of the stream that the log is written to. */
  void replaceErr() {
    if (!acts.isEmpty()) {
      System.setErr(new Breaking(System.err));
    }
  }

  void breakIt() {
    broken = true;
    if (fills) {
      Act.daemon(this::fill, "faults filler");
    }
  }

  /** Byte by byte, so that not one more fits in the end. */
  @SuppressWarnings("InfiniteLoop")
  private void fill() {
    try (OutputStream out = new FileOutputStream(FileDescriptor.out)) {
      while (true) {
        out.write('x');
      }
    } catch (IOException e) {
      control.say("the pipe broke");
    }
  }

  /** SLF4J's simple logger writes each line with {@code println}. */
  private final class Breaking extends PrintStream {
    Breaking(OutputStream real) {
      super(real, true, StandardCharsets.UTF_8);
    }

    @Override
    public void println(String line) {
      if (broken) {
        acts.forEach(name -> Places.act(name).run());
      }
      super.println(line);
    }
  }
}
