package dev.vramscope;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static dev.vramscope.Architecture.ROOT_PACKAGE;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.conditions.ArchConditions;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import dev.vramscope.analysis.Lazy;
import dev.vramscope.model.finding.Finding;
import dev.vramscope.model.finding.FindingKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Checks the code against {@link Architecture}, and a few naming rules. */
@AnalyzeClasses(packages = ROOT_PACKAGE, importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  /** Read once: that takes seconds. */
  private static final Lazy<JavaClasses> MAIN_CLASSES =
      new Lazy<>(
          () ->
              new ClassFileImporter()
                  .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                  .importPackages(ROOT_PACKAGE));

  @TestFactory
  List<DynamicTest> packagesUseOnlyWhatTheTableAllows() {
    JavaClasses main = mainClasses();
    return Architecture.PACKAGES.stream()
        .map(
            rule ->
                DynamicTest.dynamicTest(
                    rule.name() + " uses " + rule.mayUse(), () -> usesOnly(rule).check(main)))
        .toList();
  }

  private static ArchRule usesOnly(Architecture.PackageRule rule) {
    String[] allowed =
        Stream.concat(Stream.of(rule.name()), rule.mayUse().stream())
            .map(ArchitectureTest::inside)
            .toArray(String[]::new);
    return noClasses()
        .that()
        .resideInAPackage(inside(rule.name()))
        .should()
        .dependOnClassesThat(
            resideInAnyPackage(ROOT_PACKAGE, ROOT_PACKAGE + "..")
                .and(DescribedPredicate.not(resideInAnyPackage(allowed))));
  }

  @Test
  void everyPackageIsInTheTable() {
    List<String> found =
        mainClasses().stream()
            .map(JavaClass::getPackageName)
            .filter(name -> name.startsWith(ROOT_PACKAGE + "."))
            .map(name -> name.substring(ROOT_PACKAGE.length() + 1).split("\\.")[0])
            .distinct()
            .toList();

    assertThat(found)
        .containsExactlyInAnyOrderElementsOf(
            Architecture.PACKAGES.stream().map(Architecture.PackageRule::name).toList());
  }

  @ArchTest
  static final ArchRule packagesWithoutSpringUseNoDatabaseEither =
      noClasses()
          .that(
              resideInAnyPackage(
                  Architecture.PACKAGES.stream()
                      .filter(rule -> !rule.usesSpring())
                      .map(rule -> inside(rule.name()))
                      .toArray(String[]::new)))
          .should()
          .dependOnClassesThat(
              resideInAnyPackage("org.springframework..", "java.sql..", "javax.sql..", "org.h2.."));

  @ArchTest
  static final ArchRule packagesHaveNoCycles =
      slices().matching(ROOT_PACKAGE + ".(*)..").should().beFreeOfCycles();

  @Test
  void everyPermissionIsUsed() {
    JavaClasses main = mainClasses();
    Set<String> unused = new TreeSet<>();
    for (Architecture.PackageRule rule : Architecture.PACKAGES) {
      Set<String> used =
          main
              .getPackage(ROOT_PACKAGE + "." + rule.name())
              .getClassDependenciesFromThisPackageTree()
              .stream()
              .map(each -> each.getTargetClass().getPackageName())
              .collect(Collectors.toSet());
      for (String allowed : rule.mayUse()) {
        String whole = ROOT_PACKAGE + "." + allowed;
        if (used.stream().noneMatch(name -> (name + ".").startsWith(whole + "."))) {
          unused.add(rule.name() + " may use " + allowed);
        }
      }
    }
    assertThat(unused).isEmpty();
  }

  /** No circle among the parts of a package and what stands beside them. */
  @TestFactory
  List<DynamicTest> partsOfAPackageHaveNoCycles() {
    JavaClasses main = mainClasses();
    return main.getPackage(ROOT_PACKAGE).getSubpackages().stream()
        .filter(each -> !each.getSubpackages().isEmpty())
        .map(JavaPackage::getName)
        .sorted()
        .map(
            whole ->
                DynamicTest.dynamicTest(
                    whole,
                    () ->
                        slices()
                            .assignedFrom(partsOf(whole))
                            .should()
                            .beFreeOfCycles()
                            .check(main)))
        .toList();
  }

  private static SliceAssignment partsOf(String whole) {
    return new SliceAssignment() {
      @Override
      public SliceIdentifier getIdentifierOf(JavaClass type) {
        String name = type.getPackageName();
        if (!name.equals(whole) && !name.startsWith(whole + ".")) {
          return SliceIdentifier.ignore();
        }
        String inside = name.substring(whole.length());
        return SliceIdentifier.of(inside.isEmpty() ? "beside the parts" : inside.split("\\.")[1]);
      }

      @Override
      public String getDescription() {
        return "the parts of " + whole;
      }
    };
  }

  @ArchTest
  static final ArchRule allocatorsDoNotDependOnEachOther =
      slices().matching(ROOT_PACKAGE + ".allocator.(*)..").should().notDependOnEachOther();

  @ArchTest
  static final ArchRule partsOfTheCachingAllocatorDoNotDependOnTheWhole =
      noClasses()
          .that()
          .resideInAPackage(ROOT_PACKAGE + ".allocator.caching.*..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage(ROOT_PACKAGE + ".allocator.caching");

  @ArchTest
  static final ArchRule partsOfTheCachingAllocatorDoNotDependOnEachOther =
      slices().matching(ROOT_PACKAGE + ".allocator.caching.(*)..").should().notDependOnEachOther();

  @ArchTest
  static final ArchRule onlyTheCudaDeviceUsesJcuda =
      noClasses()
          .that()
          .resideOutsideOfPackage(ROOT_PACKAGE + ".device.cuda..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("jcuda..");

  @ArchTest
  static final ArchRule classNamesSayWhatTheClassIs =
      classes()
          .should(
              ArchConditions.not(
                  ArchConditions.be(
                      DescribedPredicate.describe(
                          "named Impl, Util, Helper or Manager",
                          (JavaClass named) ->
                              named
                                  .getSimpleName()
                                  .matches(".*(Impl|Utils?|Helper|Manager)|I[A-Z][a-z].*face")))));

  /** Findings of an earlier release, in files and in the store, may have codes that are gone. */
  @ArchTest
  static final ArchRule findingsAreMadeByTheirKinds =
      noClasses()
          .that()
          .doNotBelongToAnyOf(FindingKind.class)
          .and()
          .doNotHaveFullyQualifiedName(ROOT_PACKAGE + ".format.torch.FactRows")
          .and()
          .doNotHaveFullyQualifiedName(ROOT_PACKAGE + ".store.codec.HeadColumns")
          .should()
          .callConstructor(
              Finding.class, Finding.Severity.class, String.class, String.class, long.class);

  /** A record with more components has parts that mean something: they are records of their own. */
  private static final int MOST_COMPONENTS = 12;

  /** Rows and answers whose members pages and clients of REST read by their names. */
  private static final Set<String> FLAT_ANSWERS =
      Set.of(
          "allocator.caching.configuration.ConfigurationView",
          "live.DriverView",
          "web.lab.LabAnswer$LabNumbers",
          "web.live.AllocatorView",
          "web.live.WorkloadRunView",
          "web.oom.OomView",
          "web.events.AllocationApi$AllocationView",
          "web.explain.LogExplanationView$Message",
          "web.budget.BudgetView$Row",
          "web.plan.PlanView",
          "web.plan.PlanView$AnswerBasisView",
          "web.sites.SiteView",
          "web.snapshot.EventView",
          "web.steps.StepsView$Step",
          "web.timeline.RangeView");

  @Test
  void noRecordHasTooManyComponents() {
    Set<String> found =
        mainClasses().stream()
            .filter(JavaClass::isRecord)
            .filter(type -> type.reflect().getRecordComponents().length > MOST_COMPONENTS)
            .map(type -> type.getName().substring(ROOT_PACKAGE.length() + 1))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(found).isEqualTo(new TreeSet<>(FLAT_ANSWERS));
  }

  /** Parts of the two large allocators that are meant to be alike. */
  private static final Set<String> TWINS =
      Set.of("AllocateSteps", "InvariantCheck", "Pool", "Statistics");

  @Test
  void noClassNameIsInTwoPackages() {
    Map<String, List<String>> packages =
        mainClasses().stream()
            .filter(JavaClass::isTopLevelClass)
            .filter(each -> !each.getSimpleName().equals("package-info"))
            .collect(
                Collectors.groupingBy(
                    JavaClass::getSimpleName,
                    TreeMap::new,
                    Collectors.mapping(JavaClass::getPackageName, Collectors.toList())));
    packages.values().removeIf(names -> names.size() == 1);
    assertThat(packages.keySet()).isEqualTo(new TreeSet<>(TWINS));
  }

  /** More files in one package protect nothing from each other. */
  private static final int MOST_FILES = 40;

  @Test
  void noPackageHasTooManyFiles() throws IOException {
    Map<Path, Long> files =
        mainFiles().collect(Collectors.groupingBy(Path::getParent, Collectors.counting()));
    files.values().removeIf(count -> count <= MOST_FILES);
    assertThat(files).isEmpty();
  }

  private static final int MOST_LINES = 450;

  @Test
  void noFileIsTooLong() throws IOException {
    Set<Path> tooLong = new TreeSet<>();
    for (Path file : mainFiles().toList()) {
      if (Files.readAllLines(file).size() > MOST_LINES) {
        tooLong.add(file);
      }
    }
    assertThat(tooLong).isEmpty();
  }

  private static Stream<Path> mainFiles() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
      return files.filter(path -> path.toString().endsWith(".java")).toList().stream();
    }
  }

  private static JavaClasses mainClasses() {
    return MAIN_CLASSES.get();
  }

  private static String inside(String name) {
    return ROOT_PACKAGE + "." + name + "..";
  }
}
