package dev.vramscope.format.export;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.model.Frame;
import dev.vramscope.model.StackTable;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Folded stacks, speedscope and pprof contain the same stacks with the same amounts. */
class StackAmountsTest {
  private static final List<Frame> FRAMES =
      List.of(
          new Frame("main", "train.py", 9),
          new Frame("step", "train.py", 31),
          new Frame("step", "train.py", 35),
          new Frame("void f<int; 2>\n(\"x\")", "??", 0),
          new Frame("größe", "model.py", 7),
          new Frame("unused", "model.py", 8));

  /** By the texts of the frames, outermost first. */
  private static final Map<List<String>, Long> EXPECTED =
      Map.of(
          List.of(),
          5L,
          List.of("main train.py:9", "step train.py:31"),
          1024L,
          List.of("main train.py:9", "step train.py:35", "void f<int, 2> (\"x\")"),
          80_000_000_000L,
          List.of("main train.py:9", "step train.py:31", "größe model.py:7"),
          512L);

  private static StackAmounts amounts() {
    StackTable.Builder builder = new StackTable.Builder();
    FRAMES.forEach(builder::newFrame);
    int main = builder.child(StackTable.NONE, 0);
    int step31 = builder.child(main, 1);
    int step35 = builder.child(main, 2);
    int cpp = builder.child(step35, 3);
    int size = builder.child(step31, 4);
    int unused = builder.child(step31, 5);
    StackAmounts amounts = new StackAmounts(builder.build(), "live", "bytes");
    amounts.add(StackTable.NONE, 5, 1);
    amounts.add(step31, 1000, 2);
    amounts.add(step31, 24, 1);
    amounts.add(cpp, 80e9, 1);
    amounts.add(size, 512, 3);
    amounts.add(unused, 0, 4);
    return amounts;
  }

  private interface Writing {
    void to(ByteArrayOutputStream out) throws IOException;
  }

  private static byte[] written(Writing writing) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    writing.to(out);
    return out.toByteArray();
  }

  @Test
  void foldedLines() throws IOException {
    String text = new String(written(out -> FoldedWriter.write(amounts(), out)), UTF_8);
    Map<List<String>, Long> found = new TreeMap<>(Comparator.comparing(List::toString));
    for (String line : text.split("\n", -1)) {
      if (!line.isEmpty()) {
        int space = line.lastIndexOf(' ');
        String stack = line.substring(0, space);
        found.put(
            stack.equals("(no frame)") ? List.of() : List.of(stack.split(";", -1)),
            Long.parseLong(line.substring(space + 1)));
      }
    }
    assertThat(found).containsExactlyInAnyOrderEntriesOf(EXPECTED);
    assertThat(text).endsWith("\n");
  }

  @Test
  void speedscope() throws IOException {
    byte[] json = written(out -> SpeedscopeWriter.write(amounts(), "a \"run\"", out));
    JsonNode file = new JsonMapper().readTree(json);
    JsonNode profile = file.path("profiles").path(0);
    JsonNode frames = file.path("shared").path("frames");
    assertThat(file.path("name").asString()).isEqualTo("a \"run\"");
    assertThat(profile.path("unit").asString()).isEqualTo("bytes");
    assertThat(profile.path("samples").size()).isEqualTo(profile.path("weights").size());
    assertThat(frames.toString()).doesNotContain("unused");
    Map<List<String>, Long> found = new TreeMap<>(Comparator.comparing(List::toString));
    long total = 0;
    for (int i = 0; i < profile.path("samples").size(); i++) {
      List<String> stack = new ArrayList<>();
      for (JsonNode index : profile.path("samples").path(i)) {
        JsonNode frame = frames.path(index.asInt());
        if (!frame.path("name").asString().equals("(no frame)")) {
          stack.add(
              shown(
                  frame.path("name").asString(),
                  frame.path("file").asString(),
                  frame.path("line").asInt(0)));
        }
      }
      found.put(stack, profile.path("weights").path(i).asLong());
      total += profile.path("weights").path(i).asLong();
    }
    assertThat(found).containsExactlyInAnyOrderEntriesOf(EXPECTED);
    assertThat(profile.path("endValue").asLong()).isEqualTo(total);
  }

  @Test
  void pprof() throws IOException {
    byte[] compressed = written(out -> PprofWriter.write(amounts(), "title", out));
    Wire profile =
        Wire.of(new GZIPInputStream(new ByteArrayInputStream(compressed)).readAllBytes());
    List<String> strings =
        profile.fields().stream()
            .filter(field -> field.number() == 6)
            .map(field -> new String(field.bytes().getBytes(ISO_8859_1), UTF_8))
            .toList();
    assertThat(strings.getFirst()).isEmpty();
    assertThat(strings).doesNotHaveDuplicates().doesNotContain("unused").contains("title");
    assertThat(profile.messages(1))
        .extracting(type -> strings.get(number(type, 1)) + " " + strings.get(number(type, 2)))
        .containsExactly("allocations count", "live bytes");
    Map<Integer, Wire> functions = new TreeMap<>();
    profile.messages(5).forEach(function -> functions.put(number(function, 1), function));
    // The two lines of step are one function.
    assertThat(functions).hasSize(5);
    Map<Integer, Wire> locations = new TreeMap<>();
    profile.messages(4).forEach(location -> locations.put(number(location, 1), location));
    Map<List<String>, Long> found = new TreeMap<>(Comparator.comparing(List::toString));
    long count = 0;
    for (Wire sample : profile.messages(2)) {
      List<String> stack = new ArrayList<>();
      for (long number : packed(sample, 1)) {
        Wire line = Objects.requireNonNull(locations.get((int) number)).messages(4).getFirst();
        Wire function = Objects.requireNonNull(functions.get(number(line, 1)));
        String name = strings.get(number(function, 2));
        if (!name.equals("(no frame)")) {
          stack.addFirst(
              shown(name, strings.get(number(function, 4)), (int) line.number(2).orElse(0)));
        }
      }
      found.put(stack, packed(sample, 2).get(1));
      count += packed(sample, 2).getFirst();
    }
    assertThat(found).containsExactlyInAnyOrderEntriesOf(EXPECTED);
    assertThat(count).isEqualTo(1 + 3 + 1 + 3);
  }

  private static int number(Wire message, int field) {
    return (int) message.number(field).orElse(0);
  }

  private static List<Long> packed(Wire message, int field) {
    List<Long> numbers = new ArrayList<>();
    byte[] bytes =
        message.fields().stream()
            .filter(each -> each.number() == field)
            .findFirst()
            .orElseThrow()
            .bytes()
            .getBytes(ISO_8859_1);
    long value = 0;
    int shift = 0;
    for (byte each : bytes) {
      value |= (long) (each & 0x7f) << shift;
      shift += 7;
      if (each >= 0) {
        numbers.add(value);
        value = 0;
        shift = 0;
      }
    }
    return numbers;
  }

  private static String shown(String name, String file, int line) {
    String text = name.replace(';', ',').replaceAll("\\R", " ");
    return file.isEmpty() || file.equals("??") ? text : text + " " + file + ":" + line;
  }
}
