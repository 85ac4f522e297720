package dev.vramscope.explain.reading;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class WrappedLinesTest {
  private static final List<String> LINES =
      List.of(
          "step 41 done",
          "If reserved but unallocated memory is large try setting an option of the allocator,"
              + " which avoids fragmentation where the sizes of the requests differ from step to"
              + " step, as they do if each batch is padded to the length of its longest sequence.",
          "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 3.91 GiB. GPU 1 has a"
              + " total capacity of 79.25 GiB of which 1.62 GiB is free. Including non-PyTorch"
              + " memory, this process has 77.61 GiB memory in use.",
          "  File \"/home/lena/envs/sft/lib/python3.11/site-packages/torch/nn/modules/module.py\","
              + " line 1750, in _call_impl",
          "",
          "the program ended after this line, whose words are cut at the edge of the same terminal,"
              + " twice or more, as every longer line of it is");

  private static String cut(List<String> lines, int width) {
    List<String> cut = new ArrayList<>();
    for (String line : lines) {
      String rest = line;
      while (rest.length() > width) {
        cut.add(rest.substring(0, width));
        rest = rest.substring(width);
      }
      cut.add(rest);
    }
    return String.join("\n", cut);
  }

  @Test
  void linesThatATerminalCutAreWhole() {
    for (int width = 60; width <= 84; width++) {
      int edge = width;
      if (LINES.stream().anyMatch(line -> !line.isEmpty() && line.length() % edge == 0)) {
        continue; // Nobody can tell whether such a line goes on.
      }
      String text = cut(LINES, width);
      String joined = WrappedLines.joined(text);
      assertThat(joined.lines().filter(line -> !line.isEmpty()).toList())
          .as("%d characters a line", width)
          .isEqualTo(LINES.stream().filter(line -> !line.isEmpty()).toList());
      assertThat(joined.chars().filter(each -> each == '\n').count())
          .isEqualTo(text.chars().filter(each -> each == '\n').count());
    }
  }

  @Test
  void everyLineKeepsItsNumber() {
    String text = cut(LINES, 70);
    List<String> before = text.lines().toList();
    List<String> after = WrappedLines.joined(text).lines().toList();
    for (int i = 0; i < after.size(); i++) {
      if (!after.get(i).isEmpty()) {
        assertThat(after.get(i)).startsWith(before.get(i));
      }
    }
  }

  @Test
  void otherTextsAreNotChanged() {
    String whole = String.join("\n", LINES);
    assertThat(WrappedLines.joined(whole)).isEqualTo(whole);
    String atBlanks =
        LINES.stream()
            .map(line -> line.replaceAll("(.{1,70})(?: |$)", "$1\n").strip())
            .collect(Collectors.joining("\n"));
    assertThat(WrappedLines.joined(atBlanks)).isEqualTo(atBlanks);
    String table = ("|" + " word ".repeat(13) + "|\n").repeat(20);
    assertThat(WrappedLines.joined(table)).isEqualTo(table);
    String sameLength =
        "2026-11-29 10:00:00 INFO a line of a logger that is always of the same length ok\n";
    assertThat(WrappedLines.joined(sameLength.repeat(9))).isEqualTo(sameLength.repeat(9));
    assertThat(WrappedLines.joined("")).isEmpty();
  }
}
