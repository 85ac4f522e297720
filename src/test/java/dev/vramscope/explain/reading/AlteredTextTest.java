package dev.vramscope.explain.reading;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.explain.Producers;
import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LogMessage;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Names before each line, words in two lines, colours and emphasis. */
class AlteredTextTest {
  private static final String MESSAGE =
      "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.25 GiB. GPU 0 has a total"
          + " capacity of 23.65 GiB of which 1.31 GiB is free. Of the allocated memory 11.94 GiB is"
          + " allocated by PyTorch, and 9.08 GiB is reserved by PyTorch but unallocated.";

  private static final String PROGRESS = "step 1\nstep 2\nstep 3\nstep 4\nloss 0.5\n";

  private static String prefixed(String text, String... prefixes) {
    List<String> lines = text.lines().toList();
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < lines.size(); i++) {
      all.append(prefixes[i % prefixes.length]).append(lines.get(i)).append('\n');
    }
    return all.toString();
  }

  /** A number at the end of a line and one at the beginning of the next are two. */
  @Test
  void numbersOfTwoLinesStayTwo() {
    for (String text : List.of("step 12\n1.31 GiB free", "loss 0.5\n1 GiB free", "7.\n12 GiB")) {
      assertThat(AlteredText.restored(text)).isEqualTo(text);
    }
  }

  /** A message has the same fields wherever its words are cut. */
  @Test
  void wordsInTwoLinesAreJoined() {
    List<LogMessage> expected = Producers.read(MESSAGE).messages();
    for (int at = MESSAGE.indexOf("out of") + 1; at < MESSAGE.indexOf(" but"); at++) {
      boolean isWithinInteger =
          Character.isDigit(MESSAGE.charAt(at - 1)) && Character.isDigit(MESSAGE.charAt(at));
      if (isWithinInteger && MESSAGE.charAt(at - 2) != '.') {
        continue; // The second line may as well begin with a number of its own.
      }
      String cut = MESSAGE.substring(0, at) + "\n" + MESSAGE.substring(at);
      assertThat(fields(AlteredText.restored(cut)))
          .as(cut)
          .isEqualTo(expected.getFirst().fields().toString());
    }
  }

  private static String fields(String text) {
    List<LogMessage> messages = Producers.read(text).messages();
    return messages.size() == 1 ? messages.getFirst().fields().toString() : messages.toString();
  }

  @Test
  void everyLineKeepsItsNumber() {
    SplittableRandom random = new SplittableRandom(1);
    for (int round = 0; round < 200; round++) {
      StringBuilder cut = new StringBuilder();
      for (char each : (PROGRESS + MESSAGE + "\nlast line\n" + PROGRESS).toCharArray()) {
        cut.append(each).append(random.nextInt(30) == 0 ? "\n" : "");
      }
      String text = cut.toString();
      String restored = AlteredText.restored(text);
      assertThat(restored.chars().filter(each -> each == '\n').count())
          .isEqualTo(text.chars().filter(each -> each == '\n').count());
    }
    String text = PROGRESS + MESSAGE.replace("allocated by", "allo\ncated by") + "\nlast line\n";
    List<String> lines = AlteredText.restored(text).lines().toList();
    assertThat(lines.indexOf("last line")).isEqualTo(text.lines().toList().indexOf("last line"));
  }

  @Test
  void theOnlyNameBeforeAllLinesIsRemoved() {
    for (String prefix :
        List.of("trainer-1  | ", "[pod/llm-0/worker] ", "gpu-b03: ", "3: ", "worker | ")) {
      assertThat(AlteredText.restored(prefixed(PROGRESS + MESSAGE, prefix)))
          .isEqualTo(PROGRESS + MESSAGE + "\n");
    }
  }

  @Test
  void namesOfSeveralHostsAreThoseOfTheirProcesses() {
    String text = prefixed(PROGRESS.repeat(4), "[gpu-b03] ", "[gpu-b04] [rank3]: ");
    List<LogMessage> messages =
        Producers.read(text + "[gpu-b04] [rank3]: " + MESSAGE + "\n").messages();
    assertThat(messages).hasSize(1);
    assertThat(messages.getFirst().writer()).isEqualTo("gpu-b04 rank 3");
    assertThat(messages.getFirst().written(FieldName.REQUESTED)).contains("2.25 GiB");
  }

  /** Lines of other programs may stand between those of a message. */
  @Test
  void linesOfSeveralHostsAreNotJoined() {
    String wrapped = MESSAGE.replaceAll("(.{1,70})(?: |$)", "$1\n");
    String other = wrapped.replace("11.94", "3.25");
    StringBuilder both = new StringBuilder();
    List<String> a = (PROGRESS + wrapped).lines().toList();
    List<String> b = (PROGRESS + other).lines().toList();
    for (int i = 0; i < a.size(); i++) {
      both.append("node01: ").append(a.get(i)).append("\nnode02: ").append(b.get(i)).append('\n');
    }
    List<LogMessage> messages = Producers.read(AlteredText.restored(both.toString())).messages();
    assertThat(messages).hasSize(2);
    assertThat(messages.getFirst().writer()).isEqualTo("node01");
    assertThat(messages.getFirst().written(FieldName.ALLOCATED)).contains("11.94 GiB");
    assertThat(messages.getLast().writer()).isEqualTo("node02");
    assertThat(messages.getLast().written(FieldName.ALLOCATED)).contains("3.25 GiB");
  }

  @Test
  void aLineWithoutANameContinuesTheOneBefore() {
    String text =
        prefixed(PROGRESS.repeat(3), "[worker-1] ", "[worker-2] ")
            + "[worker-1] "
            + MESSAGE.replace(" of which", "\nof which");
    List<LogMessage> messages = Producers.read(AlteredText.restored(text)).messages();
    assertThat(messages).hasSize(1);
    assertThat(messages.getFirst().written(FieldName.ALLOCATED)).contains("11.94 GiB");
    assertThat(messages.getFirst().writer()).isEqualTo("worker-1");
  }

  @Test
  void ordinaryLinesOfOneWidthAreNotJoined() {
    StringBuilder text = new StringBuilder();
    for (int step = 10; step < 40; step++) {
      text.append("step 0000")
          .append(step)
          .append(" loss 0.123456 lr 0.000100 allocated 12.34 GiB")
          .append(" tokens per second 12345 gradient norm 1.00\n");
    }
    text.append("step 000040\n");
    assertThat(AlteredText.restored(text.toString())).isEqualTo(text.toString());
  }

  @Test
  void powersAreNoEmphasis() {
    for (String text : List.of("2**31 bytes", "n = 1024**3", "x[0]**2", "f(a)**2")) {
      assertThat(AlteredText.restored(text)).isEqualTo(text);
    }
    assertThat(AlteredText.restored("**2.25 GiB** (GPU 0; **CUDA**)"))
        .isEqualTo("2.25 GiB (GPU 0; CUDA)");
  }

  @Test
  void lineEndsOfWindows() {
    assertThat(AlteredText.restored("a\r\nb\r\n")).isEqualTo("a\nb\n");
    assertThat(fields(AlteredText.restored(MESSAGE.replace("allocated by", "allo\r\ncated by"))))
        .contains("11.94 GiB");
  }

  /** Levels, times, tables and ordinary words are no names. */
  @Test
  void whatIsNoNameStays() {
    for (String prefix :
        List.of(
            "[INFO] ",
            "[2026-01-02 03:04:05] ",
            "Epoch: ",
            "| ",
            "[TRT-LLM] ",
            "INFO: ",
            "ERROR    | ",
            "")) {
      String text = prefixed(PROGRESS + MESSAGE, prefix);
      assertThat(AlteredText.restored(text)).isEqualTo(text);
    }
    String table =
        List.of("conv", "relu", "pool", "norm", "head", "tail").stream()
            .map(name -> name + " | 3 | 4")
            .collect(Collectors.joining("\n", "", "\n"));
    assertThat(AlteredText.restored(table)).isEqualTo(table);
  }

  @Test
  void marksOfQuotedMailAreRemoved() {
    assertThat(AlteredText.restored(prefixed(PROGRESS + MESSAGE, "> ", ">> ", "> > ")))
        .isEqualTo(PROGRESS + MESSAGE + "\n");
    String debugger = "> /app/train.py(12)\n(Pdb) n\n" + PROGRESS;
    assertThat(AlteredText.restored(debugger)).isEqualTo(debugger);
  }

  @Test
  void coloursEmphasisAndEntitiesAreRemoved() {
    assertThat(AlteredText.restored("\u001b[31m**CUDA** out of memory &gt;&gt; &quot;x&quot;"))
        .isEqualTo("CUDA out of memory >> \"x\"");
  }
}
