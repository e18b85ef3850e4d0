package io.lastcall.servlet.jetty;

import io.lastcall.servlet.contract.StaticFileContract;
import java.nio.file.Path;

class JettyStaticFileTest extends StaticFileContract<JettyFixture> {
  @Override
  protected JettyFixture create() {
    return new JettyFixture();
  }

  @Override
  protected void serveFiles(Path directory) {
    container.application.serveFiles(directory);
  }
}
