package io.lastcall.servlet.tomcat;

import io.lastcall.servlet.CoarseDrain;
import java.util.concurrent.Callable;
import org.apache.catalina.webresources.TomcatURLStreamHandlerFactory;

/** To be loaded together with a Tomcat of its own. */
public final class TomcatCoarseDrain implements Callable<Boolean> {
  @Override
  public Boolean call() throws Exception {
    // A JVM has one, and another Tomcat's may be there.
    TomcatURLStreamHandlerFactory.disable();
    CoarseDrain.run(new TomcatFixture());
    return true;
  }
}
