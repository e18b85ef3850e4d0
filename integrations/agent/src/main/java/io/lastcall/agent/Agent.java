package io.lastcall.agent;

import java.lang.instrument.Instrumentation;
import java.lang.reflect.InvocationTargetException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * What {@code -javaagent} names. For Java 8, so that every JVM can load it; all else is for Java 17
 * and in a class loader of its own. Whatever goes wrong here is one line on standard error, and the
 * application starts as without the agent.
 */
public final class Agent {
  private static final int OLDEST = 17;

  private static final AtomicBoolean begun = new AtomicBoolean();

  /** Gets what {@link #hook} gets, in this order; returns what that returns. */
  private static volatile Function<Object[], Object> hooks = call -> call[3];

  private Agent() {}

  /** Called by the JVM before the application's {@code main}. */
  public static void premain(String arguments, Instrumentation instrumentation) {
    try {
      int java = version(System.getProperty("java.specification.version"));
      if (java < OLDEST) {
        say("it needs Java 17 or later, and this is Java " + java);
      } else if (!begun.compareAndSet(false, true)) {
        say("-javaagent names it twice, and once is enough", "The second one steps aside");
      } else {
        begin(instrumentation);
      }
    } catch (Throwable t) {
      Throwable cause = t instanceof InvocationTargetException ? t.getCause() : t;
      say("it could not start: " + cause);
    }
  }

  private static void begin(Instrumentation instrumentation)
      throws ReflectiveOperationException, URISyntaxException {
    Path jar = Paths.get(Agent.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    // By name: compiled for Java 17.
    ClassLoader loader =
        (ClassLoader)
            Class.forName("io.lastcall.agent.CoreLoader")
                .getConstructor(Path.class)
                .newInstance(jar);
    @SuppressWarnings("unchecked")
    Function<Object[], Object> made =
        (Function<Object[], Object>)
            Class.forName("io.lastcall.agent.weaving.AgentStart", true, loader)
                .getMethod("begin", Instrumentation.class)
                .invoke(null, instrumentation);
    hooks = made;
  }

  /** 8 is 1.8 there. */
  private static int version(String specification) {
    return Integer.parseInt(
        specification.startsWith("1.") ? specification.substring(2) : specification);
  }

  private static void say(String why) {
    say(why, "This process runs as without it");
  }

  private static void say(String why, String so) {
    System.err.println("Lastcall's agent: " + why + ". " + so);
  }

  /**
   * Called by a server's class, through reflection, at a place where that was put into it. Never
   * throws.
   *
   * @param point which place
   * @param declaring the class that has it
   * @param self the object; null in a static method
   * @param value the argument or the result; may be null
   * @return what takes the place of {@code value}
   */
  public static Object hook(String point, Class<?> declaring, Object self, Object value) {
    try {
      return hooks.apply(new Object[] {point, declaring, self, value});
    } catch (Throwable t) {
      return value;
    }
  }
}
