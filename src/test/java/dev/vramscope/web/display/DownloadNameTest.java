package dev.vramscope.web.display;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DownloadNameTest {
  private static final String PICKLE = "PyTorch snapshot (pickle protocol 4)";

  @ParameterizedTest
  @CsvSource({
    "rank0.pickle, rank0.pickle",
    "dump.pickle.gz, dump.pickle",
    "dump.json, dump.pickle",
    "Plot.HTML.zst, Plot.pickle",
    "llama rank 3 step 7, llama rank 3 step 7.pickle",
    "'2026-11-22 14:03 UTC, device 0', 2026-11-22 14_03 UTC_ device 0.pickle",
    "v2.1, v2.1.pickle",
    "a/../b.pkl, a_.._b.pickle"
  })
  void exportHasTheNameOfTheSnapshot(String name, String expected) {
    assertThat(DownloadName.ofExport(name, ".pickle").fileName()).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "rank0.pkl, PICKLE, rank0.pkl",
    "dump.pickle.gz, PICKLE, dump.pickle",
    "llama rank 3, PICKLE, llama rank 3.pickle",
    "llama rank 3, PyTorch snapshot (JSON), llama rank 3.json",
    "plot.htm, 'PyTorch snapshot (HTML page, pickle protocol 4)', plot.htm",
    "plot, 'PyTorch snapshot (HTML page, pickle protocol 4)', plot.html"
  })
  void originalHasTheExtensionOfItsFormat(String name, String format, String expected) {
    String detected = format.equals("PICKLE") ? PICKLE : format;
    assertThat(DownloadName.ofOriginal(name, detected).fileName()).isEqualTo(expected);
  }

  @Test
  void headerHasAnAsciiNameForOldClients() {
    assertThat(DownloadName.ofExport("run", ".pickle").header())
        .isEqualTo("attachment; filename=\"run.pickle\"");
    assertThat(DownloadName.ofExport("Läufe 日本", ".pickle").header())
        .isEqualTo(
            "attachment; filename=\"L_ufe __.pickle\";"
                + " filename*=UTF-8''L%C3%A4ufe%20%E6%97%A5%E6%9C%AC.pickle");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../../etc/passwd",
        "a\r\nSet-Cookie: x=1",
        "\"; filename=evil.exe",
        ".hidden",
        "",
        "...",
        ".gz",
        "C:\\x\\y.pickle",
        "\ud83d"
      })
  void nameContainsNoPathOrHeaderCharacters(String name) {
    DownloadName original = DownloadName.ofOriginal(name, PICKLE);
    assertThat(original.fileName())
        .doesNotContain("/", "\\", "\"", "\r", "\n")
        .doesNotStartWith(".")
        .endsWith(".pickle");
    assertThat(original.header()).matches("attachment; filename=\"[\\x20-\\x7e]+\"(; filename.*)?");
  }

  @Test
  void longNameIsCutBeforeItsExtension() {
    String name = DownloadName.ofExport("語".repeat(500) + ".json", ".pickle").fileName();
    assertThat(name).isEqualTo("語".repeat(66) + ".pickle");
  }
}
