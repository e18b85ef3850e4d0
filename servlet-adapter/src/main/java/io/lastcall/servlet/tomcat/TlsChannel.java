package io.lastcall.servlet.tomcat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLEngine;
import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.net.NioEndpoint.NioSocketWrapper;
import org.apache.tomcat.util.net.SecureNioChannel;
import org.apache.tomcat.util.net.SocketBufferHandler;
import org.jspecify.annotations.Nullable;

/**
 * Tells and does what Tomcat's own does not. Tomcat 10.1 cannot be given one: see {@link Tomcat10}.
 */
final class TlsChannel extends SecureNioChannel {
  private static final int DISCARD = 8192;

  /** No type of a TLS record. */
  private static final byte NOTHING = 0;

  /** By an engine: OpenSSL's takes in what there is of a record, the JDK's a whole one. */
  private boolean partTaken;

  /** Set by whoever ends it; with HTTP/2 another thread may be reading. */
  private volatile boolean ended;

  TlsChannel(SocketBufferHandler buffers, NioEndpoint endpoint) {
    super(buffers, endpoint);
  }

  boolean hasPartOfRecord() {
    return partTaken || (netInBuffer != null && netInBuffer.position() > 0);
  }

  @Override
  public void reset(SocketChannel channel, NioSocketWrapper wrapper) throws IOException {
    super.reset(channel, wrapper);
    partTaken = false;
    ended = false;
  }

  /** Tells what has come and given nothing by what is where a record would begin. */
  @Override
  public int read(ByteBuffer to) throws IOException {
    if (ended) {
      return discard(getIOChannel());
    }
    if (!closed && netInBuffer.position() == 0) {
      netInBuffer.put(0, NOTHING);
    }
    int read = super.read(to);
    partTaken = read == 0 && (partTaken || netInBuffer.get(0) != NOTHING);
    return read;
  }

  /** Of HTTP/2. */
  @Override
  public long read(ByteBuffer[] to, int offset, int length) throws IOException {
    return ended ? discard(getIOChannel()) : super.read(to, offset, length);
  }

  /**
   * Takes what has come, undecrypted. Returns 0 if more may come, and -1 if not.
   *
   * @param socket null: closed
   */
  static int discard(@Nullable SocketChannel socket) throws IOException {
    if (socket == null) {
      return -1;
    }
    ByteBuffer discarded = ByteBuffer.allocate(DISCARD);
    int read = socket.read(discarded);
    while (read > 0) {
      read = socket.read(discarded.clear());
    }
    return read;
  }

  /**
   * A close_notify and a FIN, on any TLS channel. What the peer still sends can be read, unlike
   * behind {@link #close()}, though not by an engine of OpenSSL. Where a record of Tomcat's has not
   * left whole, nothing may follow it but the FIN.
   */
  static void shutDownOutput(SecureNioChannel channel) throws IOException {
    SocketChannel socket = channel.getIOChannel();
    if (socket == null) { // closed
      return;
    }
    if (channel instanceof TlsChannel ours) {
      ours.ended = true;
    }
    SSLEngine engine = channel.getSslEngine();
    if (engine != null && channel.getOutboundRemaining() == 0) {
      engine.closeOutbound();
      ByteBuffer record = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
      engine.wrap(channel.getEmptyBuf(), record);
      socket.write(record.flip());
    }
    socket.shutdownOutput();
  }
}
