package io.lastcall.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A self-signed certificate for the faults that speak TLS. */
final class Keys {
  private Keys() {}

  static Path in(Path folder) throws IOException {
    Path file = folder.resolve("keys.p12");
    if (!Files.exists(file)
        && !Namespaces.succeeds(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "EC",
                "-alias",
                "faults",
                "-dname",
                "CN=localhost",
                "-storetype",
                "PKCS12",
                "-storepass",
                "changeit",
                "-keystore",
                file.toString()))) {
      throw new IOException("keytool made no " + file);
    }
    return file;
  }
}
