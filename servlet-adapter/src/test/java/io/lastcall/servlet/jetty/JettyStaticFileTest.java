package io.lastcall.servlet.jetty;

import io.lastcall.servlet.contract.StaticFileContract;
import java.nio.file.Path;
import org.eclipse.jetty.ee11.servlet.DefaultServlet;

class JettyStaticFileTest extends StaticFileContract<JettyFixture> {
  @Override
  protected JettyFixture create() {
    return new JettyFixture();
  }

  @Override
  protected void serveFiles(Path directory) {
    container.context.setBaseResourceAsPath(directory);
    container.context.addServlet(DefaultServlet.class, "/");
  }
}
