package io.lastcall.published;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.properties.HasOwner;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.Architectures;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Instant;
import java.util.Timer;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;

/** What the structure promises: dependencies run one way, and a few things live in one place. */
class ArchitectureTest {
  private static final JavaClasses CORE = of("lastcall-core");

  private static JavaClasses of(String artifact) {
    try (JarFile jar = new JarFile(Artifacts.ownJars().get(artifact).toFile())) {
      return new ClassFileImporter().importJar(jar);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void check(ArchRule rule) {
    rule.check(CORE);
  }

  @Test
  void packages_anyTwo_haveNoCycle() {
    check(slices().matching("io.lastcall.(*)..").should().beFreeOfCycles());
    check(
        noClasses()
            .that(resideInAPackage("io.lastcall.*.."))
            .should()
            .dependOnClassesThat(resideInAPackage("io.lastcall")));
  }

  /** The filter knows no container, and no container another; WebSocket sessions know neither. */
  @Test
  void containers_eachOnItsOwn_dependOnTheFilterAloneAndItOnNone() {
    JavaClasses adapter = of("lastcall-servlet");
    slices()
        .matching("io.lastcall.servlet.(*)..")
        .should()
        .notDependOnEachOther()
        .ignoreDependency(
            DescribedPredicate.alwaysTrue(), resideInAPackage("io.lastcall.servlet.websocket"))
        .check(adapter);
    noClasses()
        .that(resideInAPackage("io.lastcall.servlet"))
        .should()
        .dependOnClassesThat(resideInAPackage("io.lastcall.servlet.*.."))
        .check(adapter);
  }

  /** It judges services that do without Lastcall, and its verdict knows no process and no file. */
  @Test
  void rolloutTest_dependsOnNothingOfLastcall_andItsPackagesHaveNoCycle() {
    JavaClasses test = of("lastcall-rollout-test");
    slices().matching("io.lastcall.rollout.(*)..").should().beFreeOfCycles().check(test);
    noClasses()
        .that(resideInAPackage("io.lastcall.rollout.*.."))
        .should()
        .dependOnClassesThat(resideInAPackage("io.lastcall.rollout"))
        .check(test);
    noClasses()
        .should()
        .dependOnClassesThat(
            resideInAPackage("io.lastcall..")
                .and(DescribedPredicate.not(resideInAPackage("io.lastcall.rollout.."))))
        .check(test);
    noClasses()
        .that(resideInAPackage("io.lastcall.rollout.verdict"))
        .should()
        .dependOnClassesThat(assignableTo(Process.class))
        .orShould()
        .dependOnClassesThat(resideInAPackage("java.nio.file"))
        .check(test);
  }

  @Test
  void packages_each_useOnlyWhatTheyMay() {
    check(
        Architectures.layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("entry")
            .definedBy("io.lastcall")
            .layer("sequence")
            .definedBy("io.lastcall.sequence..")
            .layer("publish")
            .definedBy("io.lastcall.publish..")
            .layer("component")
            .definedBy("io.lastcall.component..")
            .layer("annotation")
            .definedBy("io.lastcall.annotation..")
            .layer("plan")
            .definedBy("io.lastcall.plan..")
            .layer("report")
            .definedBy("io.lastcall.report..")
            .layer("phase")
            .definedBy("io.lastcall.phase..")
            .layer("propagation")
            .definedBy("io.lastcall.propagation..")
            .layer("probe")
            .definedBy("io.lastcall.probe..")
            .layer("inflight")
            .definedBy("io.lastcall.inflight..")
            .layer("connection")
            .definedBy("io.lastcall.connection..")
            .layer("pool")
            .definedBy("io.lastcall.pool..")
            .layer("work")
            .definedBy("io.lastcall.work..")
            .layer("spi")
            .definedBy("io.lastcall.spi..")
            .layer("process")
            .definedBy("io.lastcall.process..")
            .layer("text")
            .definedBy("io.lastcall.text..")
            .layer("name")
            .definedBy("io.lastcall.name..")
            .layer("time")
            .definedBy("io.lastcall.time..")
            .whereLayer("entry")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("sequence")
            .mayOnlyBeAccessedByLayers("entry")
            .whereLayer("publish")
            .mayOnlyBeAccessedByLayers("entry")
            .whereLayer("component")
            .mayOnlyBeAccessedByLayers("entry")
            .whereLayer("process")
            .mayOnlyBeAccessedByLayers(
                "entry",
                "sequence",
                "publish",
                "component",
                "probe",
                "connection",
                "pool",
                "work",
                "name")
            .whereLayer("name")
            .mayOnlyBeAccessedByLayers("connection", "work")
            .whereLayer("propagation")
            .mayOnlyBeAccessedByLayers("entry", "sequence", "plan")
            .whereLayer("connection")
            .mayOnlyBeAccessedByLayers("entry", "sequence")
            .whereLayer("pool")
            .mayOnlyBeAccessedByLayers("entry", "sequence")
            .whereLayer("plan")
            .mayOnlyBeAccessedByLayers("entry", "sequence", "publish", "component", "report", "spi")
            .whereLayer("work")
            .mayOnlyBeAccessedByLayers("entry", "sequence", "component")
            .whereLayer("spi")
            .mayOnlyBeAccessedByLayers("entry")
            .whereLayer("annotation")
            .mayOnlyBeAccessedByLayers("entry", "component", "plan")
            .whereLayer("report")
            .mayOnlyBeAccessedByLayers("entry", "sequence", "publish", "work", "spi")
            .whereLayer("phase")
            .mayOnlyBeAccessedByLayers(
                "entry",
                "sequence",
                "publish",
                "component",
                "annotation",
                "report",
                "plan",
                "work",
                "spi")
            .whereLayer("time")
            .mayNotAccessAnyLayer());
  }

  @Test
  void hotPath_inflight_usesTimeOnly() {
    check(
        noClasses()
            .that(resideInAPackage("io.lastcall.inflight"))
            .should()
            .dependOnClassesThat(
                resideInAPackage("io.lastcall..")
                    .and(resideInAPackage("io.lastcall.inflight").negate())
                    .and(resideInAPackage("io.lastcall.time").negate())));
  }

  @Test
  void threads_anywhereButInProcessThreads_areNotMade() {
    ArchRule rule =
        noClasses()
            .that()
            .doNotHaveFullyQualifiedName("io.lastcall.process.Threads")
            .and()
            .doNotHaveFullyQualifiedName("io.lastcall.phase.StepActions") // awaits the common pool
            .should()
            .callConstructorWhere(
                JavaCall.Predicates.target(
                    HasOwner.Predicates.With.owner(assignableTo(Thread.class))))
            .orShould()
            .dependOnClassesThat()
            .belongToAnyOf(Executors.class, ForkJoinPool.class, Timer.class);
    check(rule);
  }

  @Test
  void deadlines_anywhere_useNoWallClock() {
    // The recorder notes when a shutdown began, to find it in logs: nothing is derived from that.
    check(
        noClasses()
            .that()
            .doNotHaveFullyQualifiedName("io.lastcall.sequence.Recorder")
            .should()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(Instant.class, "now")
            .orShould()
            .dependOnClassesThat()
            .belongToAnyOf(Clock.class));
    check(
        noClasses()
            .that()
            .doNotHaveFullyQualifiedName("io.lastcall.time.SystemTicker")
            .should()
            .callMethod(System.class, "nanoTime"));
    check(noClasses().should().callMethod(Thread.class, "sleep", long.class));
  }

  @Test
  void process_exitAndHalt_areReachedThroughTheSeamOnly() {
    check(
        noClasses()
            .that()
            .doNotHaveFullyQualifiedName("io.lastcall.process.HotSpot")
            .should()
            .callMethod(System.class, "exit", int.class)
            .orShould()
            .callMethod(Runtime.class, "halt", int.class)
            .orShould()
            .callMethod(Runtime.class, "exit", int.class)
            .orShould()
            .callMethod(Runtime.class, "addShutdownHook", Thread.class));
  }

  @Test
  void logging_anywhere_isSlf4j() {
    check(noClasses().should().dependOnClassesThat(resideInAPackage("java.util.logging..")));
  }
}
