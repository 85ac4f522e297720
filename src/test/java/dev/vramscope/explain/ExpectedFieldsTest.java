package dev.vramscope.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.vramscope.NeedsThirdPartyFiles;
import dev.vramscope.TestData;
import dev.vramscope.ThirdPartyFiles;
import dev.vramscope.explain.message.Field;
import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LogMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Texts that people pasted, against the fields that a person read in them. */
@NeedsThirdPartyFiles
class ExpectedFieldsTest {
  /** By file, the messages as paragraphs of lines. */
  private static Map<String, List<String>> expected() throws IOException {
    Map<String, List<String>> expected = new LinkedHashMap<>();
    for (String paragraph :
        Files.readString(TestData.file("texts/expected.txt")).split("\n\n", -1)) {
      List<String> lines =
          Arrays.stream(paragraph.split("\n", -1))
              .filter(line -> !line.isBlank() && !line.startsWith("#"))
              .toList();
      if (!lines.isEmpty()) {
        String[] head = lines.getFirst().split(" ", 2);
        List<String> message = new ArrayList<>(List.of(head[1]));
        message.addAll(lines.subList(1, lines.size()));
        expected.computeIfAbsent(head[0], _ -> new ArrayList<>()).add(String.join("\n", message));
      }
    }
    return expected;
  }

  private static String text(LogMessage message) {
    List<String> lines = new ArrayList<>();
    lines.add(message.kind().id());
    for (Field field : message.fields()) {
      boolean isNumbered = field.name() == FieldName.PROCESS || field.name() == FieldName.CHUNKS;
      String of = isNumbered ? field.of() + " " : "";
      lines.add(field.name().id() + " " + of + field.written());
    }
    if (message.times() > 1) {
      lines.add("times " + message.times());
    }
    return String.join("\n", lines);
  }

  @Test
  void everyFieldOfEveryTextIsFound() throws IOException {
    Map<String, List<String>> expected = expected();
    List<String> files =
        ThirdPartyFiles.files("texts").stream()
            .map(file -> String.valueOf(file.getFileName()))
            .filter(name -> name.endsWith(".txt"))
            .toList();
    assertThat(expected.keySet()).containsAll(files);
    for (Map.Entry<String, List<String>> file : expected.entrySet()) {
      String text = Files.readString(ThirdPartyFiles.require("texts/" + file.getKey()));
      assertThat(Producers.read(text).messages().stream().map(ExpectedFieldsTest::text))
          .as(file.getKey())
          .containsExactlyElementsOf(file.getValue());
    }
  }

  private static String withoutPlaces(String text) {
    return Producers.read(text).messages().stream()
        .map(each -> new LogMessage(each.kind(), 0, each.times(), each.fields()))
        .toList()
        .toString();
  }

  /** A second reading of what is written: a wrong factor of a unit shows. */
  @Test
  void bytesAreThoseThatAreWritten() throws IOException {
    Map<String, Integer> shifts = Map.of("B", 0, "b", 0, "K", 10, "M", 20, "G", 30, "T", 40);
    int count = 0;
    for (String name : expected().keySet()) {
      String text = Files.readString(ThirdPartyFiles.require("texts/" + name));
      for (LogMessage message : Producers.read(text).messages()) {
        for (Field field : message.fields()) {
          if (field.quantity().isPresent()) {
            String number = field.written().replaceFirst("(?s)(?<=[0-9]) ?[A-Za-z].*", "");
            String unit = field.written().substring(number.length()).strip();
            int shift = unit.isEmpty() ? 0 : shifts.getOrDefault(unit.substring(0, 1), 0);
            double bytes = Double.parseDouble(number.replace(",", "")) * (1L << shift);
            assertThat((double) field.quantity().get().bytes())
                .as(name + " " + field)
                .isCloseTo(bytes, within(bytes / 50 + 1));
            count++;
          }
        }
      }
    }
    assertThat(count).isGreaterThan(300);
  }

  @Test
  void wrappingAndPrefixesChangeNothing() throws IOException {
    SplittableRandom random = new SplittableRandom(5);
    for (String name : expected().keySet()) {
      String text = Files.readString(ThirdPartyFiles.require("texts/" + name)).strip();
      String expected = withoutPlaces(text);
      boolean isTable =
          expected.contains("kind=nvidia-smi"); // Its rows are recognized by their form.
      for (int round = 0; round < 20; round++) {
        StringBuilder wrapped = new StringBuilder();
        for (String line : text.split("\n", -1)) {
          for (String word : line.split(" ", -1)) {
            boolean isWrapped = random.nextInt(12) == 0 && !isTable;
            wrapped.append(word).append(isWrapped ? "\n" : " ");
          }
          wrapped.append('\n');
        }
        String prefixed =
            wrapped.toString().replaceAll("(?m)^", "2026-01-02 03:04:05,678 ERROR [rank3]: ");
        for (String each : List.of(wrapped.toString(), prefixed)) {
          assertThat(withoutPlaces(each))
              .as(name + ", seed 5, round " + round + "\n" + each)
              .isEqualTo(expected);
        }
      }
    }
  }

  @Test
  void mutatedTextsAreReadWithoutAnError() throws IOException {
    SplittableRandom random = new SplittableRandom(7);
    List<Path> files = ThirdPartyFiles.files("texts");
    for (int round = 0; round < 10_000; round++) {
      StringBuilder text =
          new StringBuilder(Files.readString(files.get(random.nextInt(files.size()))));
      for (int change = random.nextInt(1, 6); change > 0 && !text.isEmpty(); change--) {
        int at = random.nextInt(text.length());
        switch (random.nextInt(4)) {
          case 0 -> text.setCharAt(at, (char) random.nextInt(1, 300));
          case 1 -> text.delete(at, Math.min(text.length(), at + random.nextInt(40)));
          case 2 -> text.insert(at, text.substring(at, Math.min(text.length(), at + 60)));
          default -> text.insert(at, String.valueOf(random.nextLong()));
        }
      }
      assertThat(LogExplanation.of(text.toString()).summary())
          .as("seed 7, round " + round)
          .isNotEmpty();
    }
  }
}
