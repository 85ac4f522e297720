package dev.vramscope;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.conditions.ArchConditions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The floor plan: which room may know which. Change this table and the code together. */
@AnalyzeClasses(packages = "dev.vramscope", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  private static final String HOUSE = "dev.vramscope";

  /** A room and the rooms it may use, besides itself, the JDK and the listed libraries. */
  private static final Map<String, List<String>> MAY_USE = new LinkedHashMap<>();

  static {
    MAY_USE.put("model", List.of());
    MAY_USE.put("format", List.of("model"));
    MAY_USE.put("device", List.of());
    MAY_USE.put("allocator", List.of("device", "model"));
    MAY_USE.put("recorder", List.of("allocator", "model"));
    MAY_USE.put("analysis", List.of("model"));
    MAY_USE.put("replay", List.of("allocator", "device", "model"));
    MAY_USE.put("whatif", List.of("allocator", "device.sim", "model"));
    MAY_USE.put("postmortem", List.of("analysis", "whatif", "model"));
    MAY_USE.put("store", List.of("model"));
    MAY_USE.put("intake", List.of("format", "store", "model"));
    // live stores what its recorder takes as uploads are stored: with a file that PyTorch reads.
    MAY_USE.put(
        "live", List.of("allocator", "device", "recorder", "store", "model", "format.export"));
  }

  /** The rooms that stand on Spring or a database; all others are plain Java. */
  private static final List<String> WITH_SPRING = List.of("store", "intake", "live", "web", "cli");

  @TestFactory
  List<DynamicTest> aRoomUsesOnlyTheRoomsInTheTable() {
    var house =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(HOUSE);
    List<DynamicTest> tests = new ArrayList<>();
    MAY_USE.forEach(
        (room, others) -> {
          List<String> allowed = new ArrayList<>();
          allowed.add(inside(room));
          others.forEach(other -> allowed.add(inside(other)));
          ArchRule rule =
              noClasses()
                  .that()
                  .resideInAPackage(inside(room))
                  .should()
                  .dependOnClassesThat(
                      resideInAnyPackage(HOUSE, HOUSE + "..")
                          .and(
                              DescribedPredicate.not(
                                  resideInAnyPackage(allowed.toArray(String[]::new)))))
                  .allowEmptyShould(true);
          tests.add(DynamicTest.dynamicTest(room + " uses " + others, () -> rule.check(house)));
        });
    return tests;
  }

  @ArchTest
  static final ArchRule plainRoomsKnowNoSpringAndNoDatabase =
      noClasses()
          .that(
              resideInAnyPackage(
                  MAY_USE.keySet().stream()
                      .filter(room -> !WITH_SPRING.contains(room))
                      .map(ArchitectureTest::inside)
                      .toArray(String[]::new)))
          .should()
          .dependOnClassesThat(
              resideInAnyPackage("org.springframework..", "java.sql..", "javax.sql..", "org.h2.."))
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule roomsHaveNoCycles =
      slices().matching(HOUSE + ".(*)..").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule theThreeAllocatorsAreStrangers =
      slices()
          .matching(HOUSE + ".allocator.(*)..")
          .should()
          .notDependOnEachOther()
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule onlyTheCudaTenantKnowsJcuda =
      noClasses()
          .that()
          .resideOutsideOfPackage(HOUSE + ".device.cuda..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("jcuda..");

  @ArchTest
  static final ArchRule namesSayWhatAThingIs =
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

  private static String inside(String room) {
    return HOUSE + "." + room + "..";
  }
}
