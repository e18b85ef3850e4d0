package io.lastcall.servlet;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The filter knows no container, and no container another; WebSocket sessions know neither. */
class ArchitectureTest {
  private static final JavaClasses MAIN =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.lastcall.servlet");

  @Test
  void containers_eachOnItsOwn_dependOnTheFilterAloneAndItOnNone() {
    slices()
        .matching("io.lastcall.servlet.(*)..")
        .should()
        .notDependOnEachOther()
        .ignoreDependency(
            DescribedPredicate.alwaysTrue(), resideInAPackage("io.lastcall.servlet.websocket"))
        .check(MAIN);
    noClasses()
        .that(resideInAPackage("io.lastcall.servlet"))
        .should()
        .dependOnClassesThat(resideInAPackage("io.lastcall.servlet.*.."))
        .check(MAIN);
  }
}
