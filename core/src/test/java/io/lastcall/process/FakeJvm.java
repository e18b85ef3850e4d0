package io.lastcall.process;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A JVM that ends on paper: signals are raised by hand, exit runs the hooks, then it and halt are
 * recorded and, like the real ones, never return.
 */
public final class FakeJvm implements Jvm {

  /** How the process ended: {@code exit 0}, {@code halt 81}. */
  public record Ending(String how, int code) {
    @Override
    public String toString() {
      return how + " " + code;
    }
  }

  private final BlockingQueue<Ending> endings = new LinkedBlockingQueue<>();
  private final Map<String, Binding> answers = new ConcurrentHashMap<>();
  private final Map<String, Runnable> handlers = new ConcurrentHashMap<>();
  private final Set<Thread> hooks = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean claimed = new AtomicBoolean();
  private final AtomicBoolean exiting = new AtomicBoolean();
  private volatile boolean refusesExits;
  private volatile Runnable beforeHooks = () -> {};

  private final AtomicReference<@Nullable String> shell = new AtomicReference<>();

  private volatile Path terminationMessage = Path.of("/nonexistent/termination-log");

  /** Creates a JVM that handles every signal. */
  public FakeJvm() {}

  @Override
  public boolean claim() {
    return claimed.compareAndSet(false, true);
  }

  @Override
  public void unclaim() {
    claimed.set(false);
  }

  @Override
  public Binding bind(String signal, Runnable handler) {
    Binding answer = answers.get(signal);
    if (answer != null) {
      return answer;
    }
    handlers.put(signal, handler);
    return new Binding(Status.BOUND, "", () -> handlers.remove(signal, handler));
  }

  @Override
  public void addHook(Thread hook) {
    hooks.add(hook);
  }

  @Override
  public void removeHook(Thread hook) {
    hooks.remove(hook);
  }

  /** From now on exits are refused, as by a SecurityManager. */
  public void refuseExits() {
    refusesExits = true;
  }

  @Override
  public void exit(int code) {
    if (refusesExits) {
      throw new SecurityException("exit " + code);
    }
    if (exiting.compareAndSet(false, true)) {
      beforeHooks.run();
      hooks.forEach(Thread::start);
      hooks.forEach(FakeJvm::join);
      endings.add(new Ending("exit", code));
    }
    neverReturn();
  }

  @Override
  public void halt(int code) {
    endings.add(new Ending("halt", code));
    neverReturn();
  }

  /** Runs {@code action} in the exit, before its hooks. */
  public void beforeHooks(Runnable action) {
    beforeHooks = action;
  }

  /** Returns whether somebody has called exit. */
  public boolean isExiting() {
    return exiting.get();
  }

  /** The next {@link #bind} of {@code signal} is answered so. */
  public void answer(String signal, Status status, String detail) {
    answers.put(signal, Binding.refused(status, detail));
  }

  /** Raises a signal; like the real JVM, on a new thread. Returns it. */
  public Thread raise(String signal) {
    Runnable handler = handlers.get(signal);
    if (handler == null) {
      throw new AssertionError("Nobody handles SIG" + signal + "; handled are " + signals());
    }
    Thread thread = new Thread(handler, "SIG" + signal + " handler");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  /** Calls System.exit as somebody else would. */
  public void exitBySomebodyElse(int code) {
    prepareExit(code).start();
  }

  /** Returns the thread that will call System.exit once it is started. */
  public Thread prepareExit(int code) {
    Thread thread = new Thread(() -> exit(code), "somebody else");
    thread.setDaemon(true);
    return thread;
  }

  /** Interrupts every hook that runs. */
  public void interruptHooks() {
    hooks.forEach(Thread::interrupt);
  }

  /** Returns the signals that are handled now. */
  public Set<String> signals() {
    return Set.copyOf(handlers.keySet());
  }

  /** Returns how many hooks there are now. */
  public int hooks() {
    return hooks.size();
  }

  /** Returns whether the process would still run. */
  public boolean runs() {
    return endings.isEmpty();
  }

  /** Waits for the process's end. */
  public Ending awaitEnding() {
    try {
      Ending ending = endings.poll(60, TimeUnit.SECONDS);
      if (ending == null) {
        throw new AssertionError("The process never ended");
      }
      return ending;
    } catch (InterruptedException e) {
      throw new AssertionError("The test was interrupted", e);
    }
  }

  /** As the real one's, an exit goes on when its thread is interrupted. */
  private static void join(Thread hook) {
    while (hook.isAlive()) {
      try {
        hook.join();
      } catch (InterruptedException e) {
        Thread.onSpinWait();
      }
    }
  }

  private void neverReturn() {
    while (true) {
      LockSupport.park(this);
    }
  }

  @Override
  public Optional<String> shellAsInit() {
    return Optional.ofNullable(shell.get());
  }

  @Override
  public Path terminationMessage() {
    return terminationMessage;
  }

  /** From now on the termination message is this file. */
  public void terminationMessage(Path file) {
    terminationMessage = file;
  }

  /** From now on PID 1 is this shell. */
  public void startedBy(String name) {
    shell.set(name);
  }
}
