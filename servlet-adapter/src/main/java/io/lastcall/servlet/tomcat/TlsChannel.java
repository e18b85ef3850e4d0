package io.lastcall.servlet.tomcat;

import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.net.SecureNioChannel;
import org.apache.tomcat.util.net.SocketBufferHandler;

/** Tells what Tomcat's own does not. Tomcat 10.1 cannot be given one: see {@link Tomcat10}. */
final class TlsChannel extends SecureNioChannel {
  TlsChannel(SocketBufferHandler buffers, NioEndpoint endpoint) {
    super(buffers, endpoint);
  }

  boolean hasPartOfRecord() {
    return netInBuffer != null && netInBuffer.position() > 0;
  }
}
