package io.lastcall.servlet.contract;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Set;

/** A listener whose process has a descriptor for each queued connection and for no other. */
public final class FullListener extends ServerSocketChannel {
  private final ServerSocketChannel listener;

  public FullListener(ServerSocketChannel listener) {
    super(listener.provider());
    this.listener = listener;
  }

  @Override
  public SocketChannel accept() throws IOException {
    SocketChannel accepted = listener.accept();
    if (accepted == null) {
      throw new IOException("Too many open files");
    }
    return accepted;
  }

  @Override
  public ServerSocketChannel bind(SocketAddress local, int backlog) throws IOException {
    listener.bind(local, backlog);
    return this;
  }

  @Override
  public <T> ServerSocketChannel setOption(SocketOption<T> name, T value) throws IOException {
    listener.setOption(name, value);
    return this;
  }

  @Override
  public <T> T getOption(SocketOption<T> name) throws IOException {
    return listener.getOption(name);
  }

  @Override
  public Set<SocketOption<?>> supportedOptions() {
    return listener.supportedOptions();
  }

  @Override
  public ServerSocket socket() {
    return listener.socket();
  }

  @Override
  public SocketAddress getLocalAddress() throws IOException {
    return listener.getLocalAddress();
  }

  @Override
  protected void implCloseSelectableChannel() throws IOException {
    listener.close();
  }

  @Override
  protected void implConfigureBlocking(boolean block) throws IOException {
    listener.configureBlocking(block);
  }
}
