package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaEnumConstant;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The templates are readable, and ask their views instead of comparing names of constants. */
class TemplatesTest {
  private static final Path TEMPLATES = Path.of("src", "main", "resources", "templates");
  private static final int MAX_LENGTH = 160;
  private static final Pattern QUOTED = Pattern.compile("'(\\w+)'");

  @Test
  void noLineIsTooLong() {
    assertThat(linesWith(line -> line.length() > MAX_LENGTH)).isEmpty();
  }

  @Test
  void noConstantOfAnEnumIsInQuotes() {
    Set<String> constants = constants();
    assertThat(constants).contains("OOM", "BFC", "SITES");
    assertThat(
            linesWith(
                line ->
                    QUOTED
                        .matcher(line)
                        .results()
                        .anyMatch(quoted -> constants.contains(quoted.group(1)))))
        .isEmpty();
  }

  private static Set<String> constants() {
    return new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.vramscope")
            .stream()
            .filter(JavaClass::isEnum)
            .flatMap(type -> type.getEnumConstants().stream())
            .map(JavaEnumConstant::name)
            .collect(Collectors.toSet());
  }

  /** The lines of all templates that meet a condition, each with its file and number. */
  private static List<String> linesWith(Predicate<String> condition) {
    List<String> found = new ArrayList<>();
    try (Stream<Path> files = Files.walk(TEMPLATES)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".html")).sorted().toList()) {
        List<String> lines = Files.readAllLines(file);
        for (int i = 0; i < lines.size(); i++) {
          if (condition.test(lines.get(i))) {
            found.add(TEMPLATES.relativize(file) + ":" + (i + 1) + ": " + lines.get(i).strip());
          }
        }
      }
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
    return found;
  }
}
