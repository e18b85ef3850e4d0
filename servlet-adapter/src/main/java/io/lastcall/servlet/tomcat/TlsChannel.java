package io.lastcall.servlet.tomcat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLEngine;
import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.net.SecureNioChannel;
import org.apache.tomcat.util.net.SocketBufferHandler;

/**
 * Tells and does what Tomcat's own does not. Tomcat 10.1 cannot be given one: see {@link Tomcat10}.
 */
final class TlsChannel extends SecureNioChannel {
  TlsChannel(SocketBufferHandler buffers, NioEndpoint endpoint) {
    super(buffers, endpoint);
  }

  boolean hasPartOfRecord() {
    return netInBuffer != null && netInBuffer.position() > 0;
  }

  /**
   * A close_notify and a FIN, on any TLS channel. What the peer still sends can be read, unlike
   * behind {@link #close()}. Where a record of Tomcat's has not left whole, nothing may follow it
   * but the FIN.
   */
  static void shutDownOutput(SecureNioChannel channel) throws IOException {
    SocketChannel socket = channel.getIOChannel();
    if (socket == null) { // closed
      return;
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
