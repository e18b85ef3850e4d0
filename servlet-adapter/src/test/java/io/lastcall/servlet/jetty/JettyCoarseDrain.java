package io.lastcall.servlet.jetty;

import io.lastcall.servlet.CoarseDrain;
import java.util.concurrent.Callable;

/** To be loaded together with a Jetty of its own. */
public final class JettyCoarseDrain implements Callable<Boolean> {
  @Override
  public Boolean call() throws Exception {
    CoarseDrain.run(new JettyFixture());
    return true;
  }
}
