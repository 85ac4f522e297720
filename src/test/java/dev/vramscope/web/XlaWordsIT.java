package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vramscope.TestData;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** No page, report or answer about a file of XLA, JAX or TensorFlow speaks of PyTorch. */
class XlaWordsIT extends InBrowser {
  private static final Pattern WORDS =
      Pattern.compile(
          "pytorch|torch|expandable|empty_cache|caching"
              + " allocator|max_split_size|cudaMalloc(?!Async)|per_process_memory_fraction",
          Pattern.CASE_INSENSITIVE);

  /** What the answers about all allocators share, and the folder of a file's own stacks. */
  private static final Pattern SHARED =
      Pattern.compile(
          "\"(?:name\":\")?expandable\"|class=\"[^\"]*\"|<(script|style)\\b.*?</\\1>|/opt/torch/\\.venv|<a"
              + " [^>]*href=\"/learn/[^\"]*\"|<link [^>]*>|<footer.*?</footer>",
          Pattern.DOTALL);

  private static final List<String> PAGES =
      List.of(
          "",
          "/oom",
          "/oom?bytes=1GiB",
          "/segments",
          "/sites",
          "/flame",
          "/budget",
          "/summary",
          "/events",
          "/evidence",
          "/whatif",
          "/steps",
          "/timeline",
          "/plan",
          "/export-sizes");

  private static final List<String> ANSWERS =
      List.of(
          "",
          "/oom",
          "/oom?bytes=1GiB",
          "/bins",
          "/segments",
          "/sites",
          "/ledger",
          "/budget",
          "/summary.txt",
          "/events",
          "/evidence",
          "/steps",
          "/whatif",
          "/findings",
          "/report?format=text",
          "/report?format=html",
          "/report?format=markdown",
          "/report?format=json");

  @Test
  void nothingOfXlaSpeaksOfPyTorch() throws IOException {
    List<String> found = new ArrayList<>();
    int opened = 0;
    for (Path file : files()) {
      HttpResponse<byte[]> response =
          server.post("/api/v1/snapshots?name=" + file.getFileName(), Files.readAllBytes(file));
      if (response.statusCode() == 422) {
        opened += explained(file, found);
        continue;
      }
      assertThat(response.statusCode()).as("%s", file).isIn(200, 201);
      String id = Json.of(response).path("id").asString();
      await().atMost(Duration.ofSeconds(20)).until(() -> isAnswered("/api/v1/snapshots/" + id));
      for (String page : PAGES) {
        opened += look(file, "/snapshots/" + id + page, found);
      }
      for (String answer : ANSWERS) {
        opened += look(file, "/api/v1/snapshots/" + id + answer, found);
      }
    }
    assertThat(found).isEmpty();
    assertThat(opened).isGreaterThan(150);
  }

  /** A failure has its answer soon. A dump may be joined with its log before or after. */
  private static boolean isAnswered(String path) {
    var stored = Json.of(server.get(path));
    return stored.path("oomCount").asInt() == 0 || stored.path("answer").isObject();
  }

  private static List<Path> files() throws IOException {
    List<Path> files = new ArrayList<>();
    try (Stream<Path> all = Files.walk(Path.of("src/test/data/xla"))) {
      for (Path file : all.filter(Files::isRegularFile).sorted().toList()) {
        String name = file.getFileName().toString();
        boolean isOther = name.endsWith(".json") || name.endsWith(".py") || name.endsWith(".md");
        if (!isOther) {
          String path = Path.of("src/test/data").relativize(file).toString();
          files.add(TestData.file(path.replaceFirst("\\.zst$", "")));
        }
      }
    }
    return files;
  }

  /** A log without a dump is explained as a text. */
  private static int explained(Path file, List<String> found) throws IOException {
    HttpResponse<byte[]> answer = server.post("/api/v1/explain", Files.readAllBytes(file));
    add(file, "/api/v1/explain", answer, found);
    return 1;
  }

  private static int look(Path file, String path, List<String> found) {
    HttpResponse<byte[]> answer = server.get(path);
    if (answer.statusCode() != 200) {
      return 0; // What a file cannot say has no page.
    }
    add(file, path, answer, found);
    return 1;
  }

  private static void add(Path file, String path, HttpResponse<byte[]> answer, List<String> found) {
    String text = SHARED.matcher(new String(answer.body(), StandardCharsets.UTF_8)).replaceAll("");
    Matcher word = WORDS.matcher(text);
    while (word.find()) {
      found.add(
          String.format(
              Locale.ROOT,
              "%s %s: …%s…",
              file.getFileName(),
              path,
              text.substring(
                  Math.max(0, word.start() - 60), Math.min(text.length(), word.end() + 40))));
    }
  }
}
