package io.lastcall.agent.trials;

import static io.lastcall.rollout.LoadRequest.get;
import static io.lastcall.rollout.LoadRequest.post;
import static io.lastcall.rollout.LoadRequest.request;

import io.lastcall.rollout.LoadRequest;
import io.lastcall.rollout.RollingUpdate;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A service of the folder {@code services} that nobody built for Lastcall.
 *
 * @param folder its Maven module
 * @param title the service in the table
 * @param command starts a pod, from the module's folder
 * @param ready the path that says that it serves
 * @param loads makes the requests of one rollout
 * @param exitCode of the first process, with the agent
 */
record Subject(
    String folder,
    String title,
    List<String> command,
    String ready,
    Supplier<List<LoadRequest>> loads,
    int exitCode,
    boolean http2) {
  private static final int INCOMPLETE = 80;

  private static final Path SERVICES = Path.of("services").toAbsolutePath();

  /** {@code -Dtrials=quarkus.*} rolls those alone. */
  private static final String CHOSEN = System.getProperty("trials", ".*");

  private static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin", "java").toString();

  /** All services, the protocols that each is asked in as rows of their own. */
  static List<Subject> all() {
    return Stream.of(
            boot("spring-boot-2.7", "Spring Boot 2.7, Tomcat 9"),
            boot("spring-boot-3.5", "Spring Boot 3.5, Tomcat 10.1"),
            boot("spring-boot-3.5-jetty", "Spring Boot 3.5, Jetty 12.0"),
            boot("spring-boot-3.5-webflux", "Spring Boot 3.5, WebFlux"),
            boot("spring-boot-4", "Spring Boot 4.1, Tomcat 11"),
            boot("spring-boot-4-jetty", "Spring Boot 4.1, Jetty 12.1"),
            boot("spring-boot-4-webflux", "Spring Boot 4.1, WebFlux"),
            Stream.of(quarkus(), quarkus().overHttp2().uncounted()),
            Stream.of(armeria(), armeria().overHttp2()),
            Stream.of(
                own("tomcat", "Tomcat 11 with a WAR", "./run", "{port}"),
                own(
                    "dropwizard",
                    "Dropwizard 5",
                    JAVA,
                    "-Ddw.server.applicationConnectors[0].port={port}",
                    "-Ddw.server.adminConnectors[0].port={port:admin}",
                    "-jar",
                    "target/service.jar",
                    "server",
                    "service.yml"),
                own("javalin", "Javalin 7", JAVA, "-jar", "target/service.jar", "{port}"),
                keycloak(),
                zipkin(),
                jettyRunner()))
        .flatMap(each -> each)
        .filter(each -> each.toString().matches(CHOSEN))
        .toList();
  }

  private static Stream<Subject> boot(String folder, String title) {
    Subject http1 =
        own(
            folder,
            title,
            JAVA,
            "-jar",
            "target/service.jar",
            "--server.port={port}",
            "--server.http2.enabled=true");
    return Stream.of(http1, http1.overHttp2());
  }

  private static Subject quarkus() {
    return own(
        "quarkus",
        "Quarkus 3.33, fast-jar",
        JAVA,
        "-Dquarkus.http.port={port}",
        "-jar",
        "target/quarkus-app/quarkus-run.jar");
  }

  private static Subject armeria() {
    return own("armeria", "Armeria 1.40", JAVA, "-jar", "target/service.jar", "{port}");
  }

  private static Subject keycloak() {
    return new Subject(
        "keycloak",
        "Keycloak 26.7, its distribution",
        List.of("./run", "{port}", "{port:management}"),
        "/realms/master",
        () ->
            List.of(
                get("/realms/master").rate(30),
                get("/realms/master/.well-known/openid-configuration").rate(10),
                request(
                        "POST",
                        "/realms/master/protocol/openid-connect/token",
                        ("client_id=admin-cli&grant_type=password"
                                + "&username=admin&password=secret")
                            .getBytes(StandardCharsets.UTF_8))
                    .header("Content-Type", "application/x-www-form-urlencoded")
                    .rate(3)),
        143, // its script has it for every SIGTERM, whatever the JVM's own says
        false);
  }

  /** Its log has no line below WARN, unless it is told so. */
  private static Subject zipkin() {
    return new Subject(
        "zipkin",
        "Zipkin 3.5 with Armeria, its jar",
        List.of(
            JAVA,
            "-DQUERY_PORT={port}",
            "-Dlogging.level.io.lastcall=INFO",
            "-jar",
            "target/zipkin-server-exec.jar"),
        "/health",
        () ->
            List.of(
                get("/health").rate(20),
                get("/api/v2/services").rate(20),
                get("/api/v2/traces").rate(5)),
        0,
        false);
  }

  private static Subject jettyRunner() {
    return new Subject(
        "jetty-runner",
        "Jetty 9.4, its runner with a folder",
        List.of(JAVA, "-jar", "target/jetty-runner.jar", "--port", "{port}", "webapp"),
        "/index.html",
        () -> List.of(get("/index.html").rate(60)),
        0,
        false);
  }

  /** A service with the four paths that each of ours has. */
  private static Subject own(String folder, String title, String... command) {
    return new Subject(
        folder,
        title,
        List.of(command),
        "/fast",
        () ->
            List.of(
                get("/fast").rate(40),
                post("/work", "{}").rate(8),
                get("/later").rate(8),
                get("/stream").rate(3)),
        0,
        false);
  }

  private Subject overHttp2() {
    return new Subject(folder, title, command, ready, loads, exitCode, true);
  }

  /** Nothing counts its requests, and the record says so, also where none was lost. */
  private Subject uncounted() {
    return new Subject(folder, title, command, ready, loads, INCOMPLETE, http2);
  }

  /** Returns the outcome that its record has with the agent. */
  String outcome() {
    return exitCode == INCOMPLETE ? "INCOMPLETE" : "CLEAN";
  }

  Path directory() {
    return SERVICES.resolve(folder);
  }

  String protocol() {
    return http2 ? "h2c" : "HTTP/1.1";
  }

  /** A rollout of it, with nothing of Lastcall yet. */
  RollingUpdate rollout() {
    RollingUpdate rollout =
        RollingUpdate.of(command.toArray(String[]::new)).directory(directory()).ready(ready);
    loads.get().forEach(rollout::load);
    return http2 ? rollout.http2() : rollout;
  }

  @Override
  public String toString() {
    return folder + (http2 ? "-h2c" : "");
  }
}
