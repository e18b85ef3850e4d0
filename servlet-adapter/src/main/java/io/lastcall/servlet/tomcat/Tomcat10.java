package io.lastcall.servlet.tomcat;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.Lock;
import org.apache.tomcat.util.net.Acceptor;
import org.apache.tomcat.util.net.SecureNioChannel;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;

/**
 * What Tomcat 10.1 declares otherwise than Tomcat 11, against which this package is compiled. Only
 * a drain comes here; on Tomcat 11 nothing is called by reflection.
 */
final class Tomcat10 {
  private static final int NO_WAIT = -1;

  /** In Tomcat 11 the same method returns a {@code ReentrantLock}; null there. */
  private static final @Nullable MethodHandle GET_LOCK = getLock();

  /** What there is before 10.1.24 in place of {@code Acceptor.stopMillis}; null since. */
  private static final @Nullable MethodHandle STOP = stop();

  private Tomcat10() {}

  static Lock lock(SocketWrapperBase<?> wrapper) {
    MethodHandle handle = GET_LOCK;
    if (handle == null) {
      return wrapper.getLock();
    }
    try {
      return (Lock) handle.invokeExact(wrapper);
    } catch (RuntimeException | Error failure) {
      throw failure;
    } catch (Throwable impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static @Nullable MethodHandle getLock() {
    try {
      return MethodHandles.lookup()
          .findVirtual(SocketWrapperBase.class, "getLock", MethodType.methodType(Lock.class));
    } catch (NoSuchMethodException tomcat11) {
      return null;
    } catch (IllegalAccessException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Tells {@code acceptor} to end, and does not wait for it. */
  static void stop(Acceptor<?> acceptor) {
    MethodHandle handle = STOP;
    if (handle == null) {
      acceptor.stopMillis(NO_WAIT);
      return;
    }
    try {
      handle.invokeExact(acceptor, NO_WAIT);
    } catch (RuntimeException | Error failure) {
      throw failure;
    } catch (Throwable impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static @Nullable MethodHandle stop() {
    MethodType type = MethodType.methodType(void.class, int.class);
    try {
      MethodHandles.lookup().findVirtual(Acceptor.class, "stopMillis", type);
      return null;
    } catch (NoSuchMethodException older) {
      return stopOfOld(type);
    } catch (IllegalAccessException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static MethodHandle stopOfOld(MethodType type) {
    try {
      return MethodHandles.lookup().findVirtual(Acceptor.class, "stop", type);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("Acceptor has neither stopMillis nor stop", e);
    }
  }

  /** Whether a part of a TLS record has been read, of a channel that Tomcat 10.1 has made. */
  static boolean hasPartOfRecord(SecureNioChannel channel) {
    ByteBuffer buffer = (ByteBuffer) NetIn.BUFFER.get(channel);
    return buffer != null && buffer.position() > 0;
  }

  private static final class NetIn {
    static final VarHandle BUFFER = netIn();

    private static VarHandle netIn() {
      try {
        return MethodHandles.privateLookupIn(SecureNioChannel.class, MethodHandles.lookup())
            .findVarHandle(SecureNioChannel.class, "netInBuffer", ByteBuffer.class);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("SecureNioChannel.netInBuffer cannot be read", e);
      }
    }
  }
}
