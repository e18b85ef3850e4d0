package io.lastcall.netty;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerSocketChannel;

/** How event loops do their input and output. The native ones are tested with Netty 4.2 only. */
enum Transport {
  NIO {
    @Override
    void assumeAvailable() {}

    /** The one name for NIO event loops that Netty 4.1 and 4.2 share. */
    @Override
    @SuppressWarnings("deprecation")
    EventLoopGroup eventLoops() {
      return new NioEventLoopGroup(1);
    }

    @Override
    Class<? extends ServerChannel> listener() {
      return NioServerSocketChannel.class;
    }
  },

  EPOLL {
    @Override
    void assumeAvailable() {
      assumeOnTheClassPath("io.netty.channel.epoll.EpollIoHandler");
      assumeTrue(Epoll.isAvailable(), () -> "no epoll here: " + Epoll.unavailabilityCause());
    }

    @Override
    EventLoopGroup eventLoops() {
      return new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    }

    @Override
    Class<? extends ServerChannel> listener() {
      return EpollServerSocketChannel.class;
    }
  },

  IO_URING {
    @Override
    void assumeAvailable() {
      assumeOnTheClassPath("io.netty.channel.uring.IoUringIoHandler");
      assumeTrue(IoUring.isAvailable(), () -> "no io_uring here: " + IoUring.unavailabilityCause());
    }

    @Override
    EventLoopGroup eventLoops() {
      return new MultiThreadIoEventLoopGroup(1, IoUringIoHandler.newFactory());
    }

    @Override
    Class<? extends ServerChannel> listener() {
      return IoUringServerSocketChannel.class;
    }
  };

  /** Skips the test, with a reason, where it cannot be used. */
  abstract void assumeAvailable();

  abstract EventLoopGroup eventLoops();

  abstract Class<? extends ServerChannel> listener();

  private static void assumeOnTheClassPath(String type) {
    boolean there = true;
    try {
      Class.forName(type);
    } catch (ClassNotFoundException e) {
      there = false;
    }
    assumeTrue(there, type + " is not on the class path");
  }
}
