package io.lastcall.servlet.tomcat;

import org.apache.coyote.Adapter;
import org.apache.coyote.Request;
import org.apache.coyote.http11.upgrade.InternalHttpUpgradeHandler;
import org.apache.coyote.http2.Http2Protocol;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;

/**
 * Tomcat's HTTP/2 protocol, able to end a connection the way RFC 9113, section 6.8 describes: a
 * first GOAWAY that only announces, the last one when every stream is answered. Add it to a
 * connector of {@link LastcallProtocol} by {@code addUpgradeProtocol}. Needs asynchronous I/O,
 * which is Tomcat's default ({@code useAsyncIO}).
 */
public final class LastcallHttp2Protocol extends Http2Protocol {

  /** Creates the protocol with Tomcat's defaults. */
  public LastcallHttp2Protocol() {}

  /** No: Tomcat ends the request before the file has left, and says nothing when it has. */
  @Override
  public boolean getUseSendfile() {
    return false;
  }

  @Override
  public InternalHttpUpgradeHandler getInternalUpgradeHandler(
      SocketWrapperBase<?> wrapper, Adapter adapter, @Nullable Request request) {
    if (wrapper.hasAsyncIO() && getHttp11Protocol() instanceof LastcallProtocol protocol) {
      return new DrainingHttp2Handler(
          this, adapter, request, wrapper, protocol.endpoint().ledger());
    }
    return super.getInternalUpgradeHandler(wrapper, adapter, request);
  }
}
