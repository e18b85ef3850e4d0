package io.lastcall.agent.log;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.Logger;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.AbstractLogger;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.MessageFormatter;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/** What the SLF4J inside the agent writes to: {@link AgentLog}. Made by SLF4J, by name. */
public final class AgentLogProvider implements SLF4JServiceProvider {
  private final Map<String, Logger> loggers = new ConcurrentHashMap<>();
  private final IMarkerFactory markers = new BasicMarkerFactory();
  private final MDCAdapter none = new NOPMDCAdapter();

  /** For SLF4J. */
  public AgentLogProvider() {}

  @Override
  public ILoggerFactory getLoggerFactory() {
    return name -> loggers.computeIfAbsent(name, AgentLogger::new);
  }

  @Override
  public IMarkerFactory getMarkerFactory() {
    return markers;
  }

  @Override
  public MDCAdapter getMDCAdapter() {
    return none;
  }

  @Override
  public String getRequestedApiVersion() {
    return "2.0.99";
  }

  @Override
  public void initialize() {
    // It is complete.
  }

  private static final class AgentLogger extends AbstractLogger {
    private static final long serialVersionUID = 1L;

    AgentLogger(String name) {
      this.name = name;
    }

    @Override
    protected @Nullable String getFullyQualifiedCallerName() {
      return null;
    }

    @Override
    protected void handleNormalizedLoggingCall(
        Level level,
        @Nullable Marker marker,
        String pattern,
        Object @Nullable [] arguments,
        @Nullable Throwable failure) {
      AgentLog.write(name, level, MessageFormatter.basicArrayFormat(pattern, arguments), failure);
    }

    @Override
    public boolean isTraceEnabled() {
      return false;
    }

    @Override
    public boolean isTraceEnabled(Marker marker) {
      return false;
    }

    @Override
    public boolean isDebugEnabled() {
      return AgentLog.isEnabled(name, Level.DEBUG);
    }

    @Override
    public boolean isDebugEnabled(Marker marker) {
      return isDebugEnabled();
    }

    @Override
    public boolean isInfoEnabled() {
      return AgentLog.isEnabled(name, Level.INFO);
    }

    @Override
    public boolean isInfoEnabled(Marker marker) {
      return isInfoEnabled();
    }

    @Override
    public boolean isWarnEnabled() {
      return AgentLog.isEnabled(name, Level.WARN);
    }

    @Override
    public boolean isWarnEnabled(Marker marker) {
      return isWarnEnabled();
    }

    @Override
    public boolean isErrorEnabled() {
      return AgentLog.isEnabled(name, Level.ERROR);
    }

    @Override
    public boolean isErrorEnabled(Marker marker) {
      return isErrorEnabled();
    }
  }
}
