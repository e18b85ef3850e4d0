package io.lastcall.servlet.tomcat;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import org.apache.catalina.core.OpenSSLLifecycleListener;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** The same with OpenSSL, by Java's own way to native code, where the machine has it. */
@EnabledForJreRange(min = JRE.JAVA_22)
class TomcatOpenSslTest extends TomcatTlsTest {
  @Override
  protected void start(Path keys) throws Exception {
    container.tomcat.getServer().addLifecycleListener(new OpenSSLLifecycleListener());
    assumeTrue(OpenSSLLifecycleListener.isAvailable(), "no OpenSSL that Tomcat finds here");
    container.connector.setProperty(
        "sslImplementationName", "org.apache.tomcat.util.net.openssl.panama.OpenSSLImplementation");
    super.start(keys);
  }
}
