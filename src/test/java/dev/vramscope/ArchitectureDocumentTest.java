package dev.vramscope;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The picture and the table in {@code docs/architecture.md} are generated from {@link
 * Architecture}. To write them again after a change of the table, run the test with {@code
 * -Dvramscope.update-docs=true}.
 */
class ArchitectureDocumentTest {
  private static final Path DOCUMENT = Path.of("docs", "architecture.md");
  private static final Path PICTURE = Path.of("docs", "architecture.svg");
  private static final String BEGIN = "<!-- packages: generated from Architecture.java -->\n";
  private static final String END = "<!-- end of packages -->\n";

  @Test
  void pictureShowsTheTable() throws IOException {
    GeneratedFile.verify(PICTURE, ArchitecturePicture.svg());
  }

  @Test
  void documentListsThePackages() throws IOException {
    String document = Files.readString(DOCUMENT);
    int begin = document.indexOf(BEGIN) + BEGIN.length();
    int end = document.indexOf(END);
    GeneratedFile.verify(
        DOCUMENT, document.substring(0, begin) + table() + document.substring(end));
  }

  private static String table() {
    return Architecture.PACKAGES.stream()
        .map(
            rule ->
                "| `%s` | %s | %s | %s |\n"
                    .formatted(
                        rule.name(),
                        rule.holds(),
                        rule.mayUse().isEmpty()
                            ? "–"
                            : rule.mayUse().stream().collect(Collectors.joining(", ")),
                        rule.usesSpring() ? "yes" : "no"))
        .collect(
            Collectors.joining(
                "", "| package | holds | may use | Spring |\n|---|---|---|---|\n", ""));
  }
}
