package dev.vramscope.postmortem;

import dev.vramscope.GeneratedFile;
import dev.vramscope.postmortem.explanation.Explanation;
import dev.vramscope.postmortem.explanation.Remedy;
import dev.vramscope.postmortem.explanation.Sentence;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/**
 * The texts of {@code src/test/data/explanations.txt}, which shows what a reader gets for each of
 * the recorded failures. Regenerate it with {@code -Dvramscope.update-docs=true}, and read it.
 */
class ExplanationsTest {
  private static final Path FILE = Path.of("src", "test", "data", "explanations.txt");

  @Test
  void textsAreThoseOfTheFile() throws IOException {
    StringBuilder text = new StringBuilder();
    for (ExplainedCase found : ExplainedCase.all()) {
      text.append("== ").append(found.name()).append('\n');
      Explanation unsized = found.explanation(OptionalLong.empty());
      append(text, unsized);
      Explanation sized = found.explanation(found.totalBytes());
      if (!sized.sentences().equals(unsized.sentences())) {
        text.append("-- with the size of the GPU\n");
        append(text, sized);
      }
      text.append('\n');
    }
    GeneratedFile.verify(FILE, text.toString());
  }

  private static void append(StringBuilder text, Explanation explanation) {
    for (Sentence sentence : explanation.sentences()) {
      text.append(sentence.text()).append('\n');
    }
    text.append("  replays: ").append(explanation.remedies().replays().text()).append('\n');
    List<Remedy> others = explanation.remedies().ranked().stream().skip(1).toList();
    for (Remedy remedy : others) {
      text.append("  also [")
          .append(explanation.effect(remedy))
          .append("] ")
          .append(remedy.action().text())
          .append(remedy.settings().map(settings -> " " + settings).orElse(""))
          .append(" | ")
          .append(remedy.proof().text())
          .append(remedy.price().isEmpty() ? "" : " | price: " + remedy.price().text())
          .append('\n');
    }
  }
}
