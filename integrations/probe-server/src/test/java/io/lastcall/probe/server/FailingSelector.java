package io.lastcall.probe.server;

import java.io.IOException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.AbstractSelectionKey;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Finds its listener ready once, has no memory for a connection, and fails at each select behind
 * that.
 */
final class FailingSelector extends AbstractSelector {
  private final Set<SelectionKey> unseen = new HashSet<>();

  FailingSelector() {
    super(SelectorProvider.provider());
  }

  @Override
  protected SelectionKey register(AbstractSelectableChannel channel, int ops, Object attachment) {
    if (!(channel instanceof ServerSocketChannel)) {
      throw new OutOfMemoryError("of a connection");
    }
    SelectionKey key = new Key(this, channel);
    unseen.add(key);
    return key;
  }

  @Override
  public int select(Consumer<SelectionKey> action, long timeout) throws IOException {
    if (unseen.isEmpty()) {
      throw new IOException("select fails");
    }
    Set<SelectionKey> ready = Set.copyOf(unseen);
    unseen.clear();
    ready.forEach(action);
    return ready.size();
  }

  @Override
  public Set<SelectionKey> keys() {
    return Set.of();
  }

  @Override
  public Set<SelectionKey> selectedKeys() {
    return Set.of();
  }

  @Override
  public int selectNow() {
    return 0;
  }

  @Override
  public int select(long timeout) {
    return 0;
  }

  @Override
  public int select() {
    return 0;
  }

  @Override
  public Selector wakeup() {
    return this;
  }

  @Override
  protected void implCloseSelector() {}

  /** Of the listener. */
  private static final class Key extends AbstractSelectionKey {
    private final Selector selector;
    private final SelectableChannel channel;

    Key(Selector selector, SelectableChannel channel) {
      this.selector = selector;
      this.channel = channel;
    }

    @Override
    public SelectableChannel channel() {
      return channel;
    }

    @Override
    public Selector selector() {
      return selector;
    }

    @Override
    public int interestOps() {
      return OP_ACCEPT;
    }

    @Override
    public SelectionKey interestOps(int ops) {
      return this;
    }

    @Override
    public int readyOps() {
      return OP_ACCEPT;
    }
  }
}
