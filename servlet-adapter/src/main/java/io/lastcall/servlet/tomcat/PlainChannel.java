package io.lastcall.servlet.tomcat;

import io.lastcall.connection.FirstRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.NioEndpoint.NioSocketWrapper;
import org.apache.tomcat.util.net.SocketBufferHandler;

/** Of a connection without TLS. */
final class PlainChannel extends NioChannel implements DrainingChannel {
  private final Duration patience;
  private volatile FirstRequest firstRequest;

  PlainChannel(SocketBufferHandler buffers, Duration patience) {
    super(buffers);
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

  @Override
  public int read(ByteBuffer target) throws IOException {
    int read = super.read(target);
    if (read > 0) {
      firstRequest.arrived();
    }
    return read;
  }
}
