package shop;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** A jar that only points at the test's own service. */
final class OrdersJar {
  private OrdersJar() {}

  static void write() throws IOException {
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.put(Attributes.Name.MAIN_CLASS, "io.lastcall.rollout.Service");
    attributes.put(Attributes.Name.CLASS_PATH, "test-classes/");
    Path jar = Path.of("target", "orders.jar");
    new JarOutputStream(Files.newOutputStream(jar), manifest).close();
  }
}
