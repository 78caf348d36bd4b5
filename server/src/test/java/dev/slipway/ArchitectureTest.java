package dev.slipway;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.Architectures;

/** Holds the directions of ARCHITECTURE.md: a package uses what stands below it. */
@AnalyzeClasses(packages = "dev.slipway", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  @ArchTest
  static final ArchRule noCycles = slices().matching("dev.slipway.(*)..").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule downOnly =
      Architectures.layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .layer("main")
          .definedBy("dev.slipway")
          .layer("entrances")
          .definedBy("dev.slipway.api..", "dev.slipway.plantstore..", "dev.slipway.dashboard..")
          .layer("work")
          .definedBy(
              "dev.slipway.migration..",
              "dev.slipway.deployment..",
              "dev.slipway.hook..",
              "dev.slipway.preview..",
              "dev.slipway.recovery..")
          .layer("domain")
          .definedBy(
              "dev.slipway.build..",
              "dev.slipway.release..",
              "dev.slipway.site..",
              "dev.slipway.edge..",
              "dev.slipway.instance..",
              "dev.slipway.project..",
              "dev.slipway.dbproject..",
              "dev.slipway.domain..",
              "dev.slipway.certificate..",
              "dev.slipway.upload..",
              "dev.slipway.account..",
              "dev.slipway.runlog..",
              "dev.slipway.event..",
              "dev.slipway.webhook..",
              "dev.slipway.metric..")
          .layer("parts")
          .definedBy(
              "dev.slipway.framework..",
              "dev.slipway.tool..",
              "dev.slipway.runtime..",
              "dev.slipway.database..",
              "dev.slipway.source..",
              "dev.slipway.job..")
          .layer("ground")
          .definedBy(
              "dev.slipway.core..",
              "dev.slipway.coding..",
              "dev.slipway.db..",
              "dev.slipway.config..",
              "dev.slipway.accesslog..",
              "dev.slipway.vault..",
              "dev.slipway.sandbox..")
          .whereLayer("main")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("entrances")
          .mayOnlyBeAccessedByLayers("main")
          .whereLayer("work")
          .mayOnlyBeAccessedByLayers("main", "entrances")
          .whereLayer("domain")
          .mayOnlyBeAccessedByLayers("main", "entrances", "work")
          .whereLayer("parts")
          .mayOnlyBeAccessedByLayers("main", "entrances", "work", "domain");

  @ArchTest static final ArchRule apiKnowsNoPlantStore = below("api", "plantstore");

  @ArchTest static final ArchRule apiKnowsNoDashboard = below("api", "dashboard");

  @ArchTest static final ArchRule deploymentKnowsNoMigration = below("deployment", "migration");

  @ArchTest static final ArchRule deploymentKnowsNoPreview = below("deployment", "preview");

  @ArchTest static final ArchRule hookKnowsNoPreview = below("hook", "preview");

  @ArchTest static final ArchRule deploymentKnowsNoHook = below("deployment", "hook");

  @ArchTest
  static final ArchRule coreKnowsNothing =
      classes()
          .that()
          .resideInAPackage("dev.slipway.core..")
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage("dev.slipway.core..", "com.github.f4b6a3.uuid..", "org.jspecify..")
                  .or(resideInAnyPackage("java..")));

  @ArchTest
  static final ArchRule partsKnowEachOtherLittle =
      noClasses()
          .that()
          .resideInAPackage("dev.slipway.runtime..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "dev.slipway.framework..",
              "dev.slipway.tool..",
              "dev.slipway.source..",
              "dev.slipway.job..");

  @ArchTest
  static final ArchRule adaptersAreNamedByMainAlone =
      noClasses()
          .that(
              resideOutsideOfPackages(
                  "dev.slipway",
                  "dev.slipway.runtime.process..",
                  "dev.slipway.source.git..",
                  "dev.slipway.database.mysql..",
                  "dev.slipway.database.postgres.."))
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "dev.slipway.runtime.process..",
              "dev.slipway.source.git..",
              "dev.slipway.database.mysql..",
              "dev.slipway.database.postgres..");

  @ArchTest
  static final ArchRule sqlStaysInStores =
      noClasses()
          .that()
          .haveSimpleNameNotEndingWith("Store")
          .and()
          .resideOutsideOfPackages("dev.slipway.db..", "dev.slipway.job..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.jdbi.v3.core.statement..", "java.sql..", "javax.sql..");

  // The sandbox looks along PATH for the tools that it shows to programs.
  @ArchTest
  static final ArchRule environmentIsReadInOnePlace =
      noClasses()
          .that()
          .resideOutsideOfPackages(
              "dev.slipway", "dev.slipway.sandbox..") // which looks along PATH for tools
          .should()
          .callMethod(System.class, "getenv")
          .orShould()
          .callMethod(System.class, "getenv", String.class);

  private static ArchRule below(String lower, String upper) {
    return noClasses()
        .that()
        .resideInAPackage("dev.slipway." + lower + "..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("dev.slipway." + upper + "..");
  }
}
