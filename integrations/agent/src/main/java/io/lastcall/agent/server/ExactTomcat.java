package io.lastcall.agent.server;

import io.lastcall.connection.DrainableServer;
import io.lastcall.servlet.ShutdownFilter;
import io.lastcall.servlet.tomcat.LastcallHttp2Protocol;
import io.lastcall.servlet.tomcat.LastcallProtocol;
import io.lastcall.servlet.tomcat.TomcatServer;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.List;
import org.apache.catalina.connector.Connector;
import org.apache.coyote.UpgradeProtocol;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.coyote.http2.Http2Protocol;
import org.jspecify.annotations.Nullable;

/** Puts the connector's parts that drain in the place of Tomcat's own. */
final class ExactTomcat {
  private ExactTomcat() {}

  /** Just made, and nothing of it is configured. */
  static @Nullable Object protocol(@Nullable Object made) {
    return made != null
            && made.getClass().equals(Http11NioProtocol.class)
            && TomcatServer.problem().isEmpty()
        ? new LastcallProtocol()
        : made;
  }

  static DrainableServer server(Connector connector, ShutdownFilter filter) {
    if (connector.getProtocolHandler() instanceof LastcallProtocol protocol) {
      replaceHttp2(protocol);
    }
    return TomcatServer.of(connector, filter);
  }

  /**
   * With the settings that it has by now. One that cannot be replaced stays, and the connector has
   * the coarse role.
   */
  private static void replaceHttp2(LastcallProtocol protocol) {
    try {
      Field known = AbstractHttp11Protocol.class.getDeclaredField("upgradeProtocols");
      known.setAccessible(true);
      @SuppressWarnings("unchecked")
      List<UpgradeProtocol> upgrades = (List<UpgradeProtocol>) known.get(protocol);
      for (int i = 0; i < upgrades.size(); i++) {
        if (upgrades.get(i).getClass().equals(Http2Protocol.class)) {
          upgrades.set(i, copy((Http2Protocol) upgrades.get(i)));
        }
      }
    } catch (ReflectiveOperationException | RuntimeException closed) {
      // The connector says at its start that this protocol cannot be drained.
    }
  }

  private static Http2Protocol copy(Http2Protocol from) throws ReflectiveOperationException {
    LastcallHttp2Protocol to = new LastcallHttp2Protocol();
    for (Field field : Http2Protocol.class.getDeclaredFields()) {
      if (!Modifier.isStatic(field.getModifiers())) {
        field.setAccessible(true);
        field.set(to, field.get(from));
      }
    }
    return to;
  }
}
