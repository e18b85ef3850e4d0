package io.lastcall.servlet.undertow;

import io.lastcall.servlet.contract.StaticFileContract;
import io.undertow.server.handlers.resource.PathResourceManager;
import java.io.IOException;
import java.nio.file.Path;

class UndertowStaticFileTest extends StaticFileContract<UndertowFixture> {
  @Override
  protected UndertowFixture create() throws IOException {
    return new UndertowFixture();
  }

  @Override
  protected void serveFiles(Path directory) {
    container.deployment.setResourceManager(new PathResourceManager(directory));
  }
}
