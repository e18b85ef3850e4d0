package io.lastcall.servlet.tomcat;

import io.lastcall.connection.FirstRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.net.NioEndpoint.NioSocketWrapper;
import org.apache.tomcat.util.net.SecureNioChannel;
import org.apache.tomcat.util.net.SocketBufferHandler;

/** Of a connection with TLS. */
final class TlsChannel extends SecureNioChannel implements DrainingChannel {
  private final Duration patience;
  private volatile FirstRequest firstRequest;

  TlsChannel(SocketBufferHandler buffers, NioEndpoint endpoint, Duration patience) {
    super(buffers, endpoint);
    this.patience = patience;
    firstRequest = new FirstRequest(patience);
  }

  @Override
  public void reset(SocketChannel channel, NioSocketWrapper wrapper) throws IOException {
    super.reset(channel, wrapper);
    firstRequest = new FirstRequest(patience);
  }

  @Override
  public FirstRequest firstRequest() {
    return firstRequest;
  }

  /** What it has deciphered. */
  @Override
  public int read(ByteBuffer target) throws IOException {
    int read = super.read(target);
    if (read > 0) {
      firstRequest.arrived();
    }
    return read;
  }

  boolean hasPartOfRecord() {
    return netInBuffer != null && netInBuffer.position() > 0;
  }
}
