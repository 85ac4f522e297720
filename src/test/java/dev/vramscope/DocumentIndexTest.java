package dev.vramscope;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code docs/README.md} lists every document and every decision, each once. */
class DocumentIndexTest {
  private static final Path DOCS = Path.of("docs");
  private static final Pattern LINK = Pattern.compile("\\]\\(([\\w./-]+\\.md)\\)");
  private static final Pattern DECISION =
      Pattern.compile("(?m)^\\| \\[(\\d+)\\]\\(decisions/0*(\\d+)-[\\w-]+\\.md\\) \\|");

  private static String index() throws IOException {
    return Files.readString(DOCS.resolve("README.md"));
  }

  private static List<String> documents(String folder) throws IOException {
    try (Stream<Path> files = Files.list(DOCS.resolve(folder))) {
      return files
          .map(file -> DOCS.relativize(file).toString().replace('\\', '/'))
          .filter(name -> name.endsWith(".md") && !name.equals("README.md"))
          .sorted()
          .toList();
    }
  }

  @Test
  void everyDocumentIsListed() throws IOException {
    List<String> links = LINK.matcher(index()).results().map(found -> found.group(1)).toList();
    assertThat(links).containsAll(documents(""));
    assertThat(links.stream().filter(link -> link.startsWith("decisions/")))
        .containsExactlyElementsOf(documents("decisions"));
  }

  @Test
  void decisionsAreListedWithTheirNumbers() throws IOException {
    List<MatchResult> rows = DECISION.matcher(index()).results().toList();
    assertThat(rows).hasSameSizeAs(documents("decisions"));
    for (MatchResult row : rows) {
      assertThat(row.group(1)).isEqualTo(row.group(2));
    }
  }
}
