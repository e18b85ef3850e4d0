package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.servlet.ContainerInternals;
import io.lastcall.spring.internals.SpringInternals;
import io.lastcall.spring.service.TestApplication;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.GeneratedFiles.Kind;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringApplicationAotProcessor;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.core.NativeDetector;
import org.springframework.javapoet.ClassName;

/**
 * What the build of a native image is given: Spring Boot's process-aot as its plugins run it, and
 * the service on what that made, on a JVM. A native compiler is not part of the build.
 */
@Timeout(300)
@Tag("all")
class NativeImageTest {
  @TempDir static Path made;

  /** By the type's name. */
  private static final Map<String, Map<?, ?>> types = new HashMap<>();

  @BeforeAll
  static void process() throws Exception {
    Path sources = Files.createDirectory(made.resolve("sources"));
    Path classes = Files.createDirectory(made.resolve("classes"));
    String classPath = classPath();
    Path log = made.resolve("log");
    Process processor =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classPath,
                SpringApplicationAotProcessor.class.getName(),
                TestApplication.class.getName(),
                sources.toString(),
                classes.toString(),
                classes.toString(),
                "test",
                "service",
                "--management.endpoints.web.exposure.include=lastcall",
                "--lastcall.stop-first=testApplication.ClientFactory.getObject")
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    assertTrue(processor.waitFor(120, TimeUnit.SECONDS), "process-aot ends");
    assertEquals(0, processor.exitValue(), () -> text(log));
    assertTrue(!text(log).contains(" WARN "), () -> text(log));
    compile(sources, classes, classPath);
    Path metadata =
        classes.resolve("META-INF/native-image/test/service/reachability-metadata.json");
    List<?> all =
        (List<?>) JsonParserFactory.getJsonParser().parseMap(text(metadata)).get("reflection");
    for (Object each : all) {
      Map<?, ?> entry = (Map<?, ?>) each;
      types.put(entry.get("type").toString(), entry);
    }
  }

  /** Some stand here without what they need, and have hints of their own. */
  private static String classPath() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> !entry.matches(".*/spring-(data|integration|batch)-[^/]*"))
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static void compile(Path sources, Path classes, String classPath) throws IOException {
    try (Stream<Path> files = Files.walk(sources)) {
      Stream<String> names =
          files.map(Path::toString).filter(name -> name.endsWith(".java")).sorted();
      String[] arguments =
          Stream.concat(
                  Stream.of(
                      "-nowarn",
                      "-proc:none",
                      "-d",
                      classes.toString(),
                      "-cp",
                      classes + File.pathSeparator + classPath),
                  names)
              .toArray(String[]::new);
      assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments));
    }
  }

  @Test
  void processAot_membersOfBeans_areNamed() {
    String service = TestApplication.class.getName();
    assertMember(service + "$Orders", "methods", "stopConsumers");
    assertMember(service + "$Orders", "methods", "leave");
    assertMember(service + "$Ledger", "methods", "end");
    assertMember(service + "$Queue", "methods", "close");
    assertMember(service + "$ClientFactory", "methods", "stop");
    assertMember(service + "$Late", "methods", "stop");
    assertMember(service + "$ClientFactory", "methods", "getObject"); // of stop-first
  }

  @Test
  void processAot_settingsAndTheEndpoint_areNamed() {
    assertMember(LastcallProperties.class.getName(), "methods", "<init>");
    assertMember(LastcallProperties.Work.class.getName(), "methods", "<init>");
    assertMember(LastcallEndpoint.class.getName(), "methods", "state");
    assertMember(LastcallEndpoint.State.class.getName(), "methods", "plan");
    assertMember(LastcallEndpoint.Value.class.getName(), "methods", "source");
  }

  @Test
  void processAot_fieldsThatAreThere_areNamed() throws Exception {
    TreeSet<String> found = new TreeSet<>();
    for (String name : SpringInternals.fields()) {
      String[] parts = name.split("#", 2);
      try {
        assertNotNull(Class.forName(parts[0]).getDeclaredField(parts[1]), name);
      } catch (ClassNotFoundException | NoClassDefFoundError absent) {
        continue;
      }
      if (!parts[0].matches("org.springframework.(data|integration)..*")) {
        assertMember(parts[0], "fields", parts[1]);
      }
      found.add(parts[0].substring(parts[0].lastIndexOf('.') + 1));
    }
    assertTrue(
        found.containsAll(
            List.of(
                "ThreadPoolTaskExecutor",
                "ThreadPoolTaskScheduler",
                "SimpleAsyncTaskExecutor",
                "StdScheduler",
                "QuartzScheduler")),
        found::toString);
  }

  /** A class that is new here needs hints in {@link NativeHints} or {@link NativeMembers}. */
  @Test
  void main_everyClassThatReachesByName_isKnown() throws Exception {
    Path root = Path.of(NativeHints.class.getResource("NativeHints.class").toURI()).getParent();
    TreeSet<String> found = new TreeSet<>();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".class")).toList()) {
        String code = Files.readString(file, StandardCharsets.ISO_8859_1);
        if (Stream.of(
                    "DirectFieldAccessor",
                    "newProxyInstance",
                    "getDeclaredField",
                    "getDeclaredMethod",
                    "findMethod",
                    "forName")
                .anyMatch(code::contains)
            || (code.contains("org/springframework/util/ClassUtils")
                && code.contains("(Ljava/lang/String;Ljava/lang/ClassLoader;)Z"))) {
          found.add(file.getFileName().toString().replaceFirst("(\\$.*)?\\.class", ""));
        }
      }
    }
    assertEquals(
        new TreeSet<>(
            List.of(
                "ContextClose",
                "CountedChannel", // proxies that Spring AMQP's own hints register
                "JettyDrain",
                "JettySessions",
                "BeanStop",
                "OnOwnServer",
                "QuartzTaker",
                "SpringInternals",
                "UnknownServers",
                "VirtualThreads")),
        found);
  }

  @Test
  void sigterm_onWhatProcessAotMade_isDrainedAndEachStepRunsOnce() throws Exception {
    try (Service service = start(TestApplication.class, made.resolve("classes"))) {
      assertIsDrained(service);
      assertEquals(-1, service.index(" WARN "), service::output);
    }
  }

  @Test
  void sigterm_asInANativeImage_isDrainedAndNoMemberIsLookedFor() throws Exception {
    try (Service service = start(AsInNativeImage.class, made.resolve("classes"))) {
      assertIsDrained(service);
      assertEquals(-1, service.index("without knowing its connections"), service::output);
    }
  }

  @Test
  void sigterm_asInANativeImageWhoseBuildMissedAMember_saysSoAndLosesNothing() throws Exception {
    InMemoryGeneratedFiles files = new InMemoryGeneratedFiles();
    NativeContainers.keep(
        Map.of("Tomcat", "Tomcat version 99.0 has no Endpoint: void gone()"),
        new DefaultGenerationContext(
            new ClassNameGenerator(ClassName.get(TestApplication.class)), files));
    String name = ContainerInternals.resource("Tomcat");
    Path resource = made.resolve("missed").resolve(name);
    Files.createDirectories(resource.getParent());
    Files.writeString(resource, files.getGeneratedFileContent(Kind.RESOURCE, name));
    Path classes = Path.of(made.resolve("missed") + File.pathSeparator + made.resolve("classes"));
    try (Service service = start(AsInNativeImage.class, classes)) {
      assertIsDrained(service);
      service.awaitLine("Tomcat version 99.0 has no Endpoint: void gone(), so tomcat:");
    }
  }

  private static Service start(Class<?> application, Path classes) throws IOException {
    return Service.startAheadOfTime(classes, application, "--lastcall.propagation-delay=0s");
  }

  /**
   * Has the adapter take the ways of a native image. Not Spring, whose two classes have asked
   * before: it refuses to be one on JDK 17.
   */
  static final class AsInNativeImage {
    public static void main(String[] arguments) throws ClassNotFoundException {
      Class.forName("org.springframework.cglib.core.AbstractClassGenerator");
      assertFalse(NativeDetector.inNativeImage());
      System.setProperty("org.graalvm.nativeimage.imagecode", "runtime");
      SpringApplication application = new SpringApplication(TestApplication.class);
      application.setMainApplicationClass(TestApplication.class);
      application.run(arguments);
    }
  }

  private static void assertIsDrained(Service service) throws Exception {
    int port = service.port();
    service.awaitLine("AOT-processed");
    var slow = service.get(port, "/slow");
    service.awaitLine("slow began");
    service.terminate();
    assertEquals("slow", slow.get(60, TimeUnit.SECONDS).body());
    assertEquals(0, service.awaitExit(), service::output);
    service.awaitLine("Shutdown clean");
    for (String once : List.of("consumers stopped", "queue closed again", "ledger closed")) {
      assertEquals(1, service.count(once), once + "\n" + service.output());
    }
  }

  private static void assertMember(String type, String kind, String name) {
    Map<?, ?> entry = types.get(type);
    assertNotNull(entry, () -> type + " is not in the metadata");
    List<?> members = entry.get(kind) instanceof List<?> all ? all : List.of();
    boolean named =
        members.stream()
            .anyMatch(each -> each instanceof Map<?, ?> m && name.equals(m.get("name")));
    assertTrue(named, () -> type + "." + name + " is not in " + entry);
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
