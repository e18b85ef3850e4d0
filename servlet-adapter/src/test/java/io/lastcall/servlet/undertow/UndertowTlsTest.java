package io.lastcall.servlet.undertow;

import io.lastcall.servlet.contract.TlsContract;
import io.lastcall.testing.TestKeys;
import io.undertow.UndertowOptions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.xnio.OptionMap;

class UndertowTlsTest extends TlsContract<UndertowFixture> {
  @Override
  protected UndertowFixture create() throws IOException {
    return new UndertowFixture(
        OptionMap.create(UndertowOptions.ENABLE_HTTP2, true), this::firstRequest);
  }

  @Override
  protected void start(Path keys) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(keys)) {
      store.load(in, TestKeys.SECRET.toCharArray());
    }
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(store, TestKeys.SECRET.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(factory.getKeyManagers(), null, null);
    container.start(context);
  }
}
