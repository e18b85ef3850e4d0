package io.lastcall.faults.subject;

import io.lastcall.GracefulShutdown;
import io.lastcall.servlet.ShutdownFilter;
import io.lastcall.servlet.ShutdownInitializer;
import io.lastcall.servlet.tomcat.LastcallHttp2Protocol;
import io.lastcall.servlet.tomcat.LastcallProtocol;
import io.lastcall.servlet.tomcat.TomcatServer;
import java.io.File;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.Context;
import org.apache.catalina.Wrapper;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.apache.tomcat.util.net.SSLHostConfigCertificate;

/** Tomcat with HTTP/1.1 and HTTP/2; with {@code faults.keys} on a second port with TLS, too. */
final class TomcatSubject {
  /** Kept, or the level set on it is forgotten with it. */
  private static final Logger TOMCAT_LOG = Logger.getLogger("org.apache");

  private TomcatSubject() {}

  static void start(GracefulShutdown shutdown, Control control) throws Exception {
    TOMCAT_LOG.setLevel(Level.WARNING);
    ShutdownFilter filter = ShutdownFilter.of(shutdown);
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(System.getProperty("java.io.tmpdir"));
    Connector plain = connector();
    tomcat.setConnector(plain);
    shutdown.server(new TomcatServer(plain, filter));
    String keys = System.getProperty("faults.keys");
    Connector secure = null;
    if (keys != null) {
      secure = connector();
      secure(secure, keys);
      tomcat.getService().addConnector(secure);
      shutdown.server(new TomcatServer(secure, filter));
    }
    Context context = tomcat.addContext("", new File(".").getAbsolutePath());
    Wrapper wrapper =
        Tomcat.addServlet(context, "requests", new Requests(control, WorkSubject.chain(shutdown)));
    wrapper.setAsyncSupported(true);
    wrapper.addMapping("/*");
    if (!System.getProperty("faults.filter", "").equals("missing")) {
      context.addServletContainerInitializer(new ShutdownInitializer(filter), null);
    }
    tomcat.start();
    // Tomcat's log has its classes from now on, as in a service that has run for a while.
    TOMCAT_LOG.warning("started");
    control.say("port http " + plain.getLocalPort());
    control.say("port h2 " + plain.getLocalPort());
    if (secure != null) {
      control.say("port tls " + secure.getLocalPort());
    }
  }

  private static Connector connector() {
    Connector connector = new Connector(new LastcallProtocol());
    connector.addUpgradeProtocol(new LastcallHttp2Protocol());
    connector.setPort(0);
    connector.setThrowOnFailure(true);
    return connector;
  }

  private static void secure(Connector connector, String keys) {
    SSLHostConfig host = new SSLHostConfig();
    SSLHostConfigCertificate certificate =
        new SSLHostConfigCertificate(host, SSLHostConfigCertificate.Type.UNDEFINED);
    certificate.setCertificateKeystoreFile(keys);
    certificate.setCertificateKeystorePassword("changeit");
    host.addCertificate(certificate);
    connector.setProperty("SSLEnabled", "true");
    connector.setSecure(true);
    connector.setScheme("https");
    connector.addSslHostConfig(host);
  }
}
