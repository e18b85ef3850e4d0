package io.lastcall.rollout;

import static io.lastcall.rollout.LoadRequest.get;
import static io.lastcall.rollout.LoadRequest.post;

import io.lastcall.rollout.verdict.Cause.Kind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The drill's servers, as they are packaged: with Lastcall, and naive. */
final class ExampleServers {
  /** gRPC is not spoken; Helidon wants Java 21. */
  private static final List<String> NAMES =
      List.of(
          "tomcat",
          "jetty",
          "undertow",
          "netty",
          "spring-boot",
          "spring-boot-webflux",
          "reactor-netty",
          "vertx",
          "micronaut",
          "ktor",
          "helidon",
          "armeria",
          "jdk");

  private static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin", "java").toString();

  private ExampleServers() {}

  /**
   * Two trials of each that is packaged.
   *
   * @param subjects the folder verification/drill/subjects
   */
  static List<Trial> all(Path subjects) {
    List<Trial> trials = new ArrayList<>();
    for (String name : NAMES) {
      Path jar = subjects.resolve(name).resolve("target").resolve(name + ".jar");
      if (Files.exists(jar)) {
        trials.add(Trial.green(name, () -> rollout(jar, false)));
        trials.add(
            Trial.red(
                name + ", naive", () -> rollout(jar, true), Kind.EXITED, Kind.STOPPED_LISTENING));
      } else {
        System.out.println(jar + " is not packaged, and left out");
      }
    }
    return trials;
  }

  private static RollingUpdate rollout(Path jar, boolean naive) {
    return RollingUpdate.of(JAVA, "-jar", jar.toString())
        .environment("PORT", "{port}")
        .environment("NAIVE", Boolean.toString(naive))
        .environment("LASTCALL_GRACE_PERIOD", "30s")
        .environment("LASTCALL_PROPAGATION_DELAY", "10s")
        .ready(naive ? "/fast" : "/readyz")
        .startTimeout(Duration.ofMinutes(5))
        .load(get("/fast").rate(30))
        .load(get("/work?ms=300").rate(10))
        .load(get("/stream?ms=1000").rate(5))
        .load(post("/upload", "{}").rate(5));
  }
}
