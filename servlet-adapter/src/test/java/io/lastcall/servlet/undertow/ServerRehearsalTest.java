package io.lastcall.servlet.undertow;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.inflight.GateControl;
import io.lastcall.time.Ticker;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.concurrent.Callable;
import java.util.logging.LogManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.xnio.Xnio;

@Timeout(30)
class ServerRehearsalTest {
  /** Whose first use has the JVM load the names of all time zones. */
  private static final String DATES = "io.undertow.util.DateUtils";

  @Test
  void run_nothingAnsweredBefore_loadsWhatAnAnswerNeeds() throws Exception {
    // XNIO says its version each time.
    LogManager.getLogManager().reset();
    try (Anew classes = new Anew()) {
      Callable<?> rehearsal =
          (Callable<?>)
              classes.loadClass(Rehearsing.class.getName()).getConstructor().newInstance();
      assertFalse(classes.isLoaded(DATES));
      rehearsal.call();
      assertTrue(classes.isLoaded(DATES));
    }
  }

  /** Of classes that nobody else has used. */
  public static final class Rehearsing implements Callable<Void> {
    @Override
    public Void call() throws Exception {
      ServerRehearsal.run(Xnio.getInstance(), new GateControl(Ticker.system()).gate());
      return null;
    }
  }

  /** Loads the whole class path once more. */
  private static final class Anew extends URLClassLoader {
    Anew() throws IOException {
      super(classPath(), ClassLoader.getPlatformClassLoader());
    }

    private static URL[] classPath() throws IOException {
      String[] entries = System.getProperty("java.class.path").split(File.pathSeparator, -1);
      URL[] urls = new URL[entries.length];
      for (int i = 0; i < entries.length; i++) {
        urls[i] = new File(entries[i]).toURI().toURL();
      }
      return urls;
    }

    boolean isLoaded(String name) {
      return findLoadedClass(name) != null;
    }
  }
}
