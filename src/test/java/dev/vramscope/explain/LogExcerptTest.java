package dev.vramscope.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.explain.LogExcerpt.Relevance;
import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.producer.MessageProducer;
import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LogExcerptTest {
  private static final String MESSAGE =
      """
      Traceback (most recent call last):
        File "/work/train.py", line 210, in <module>
          main()
        File "/work/model.py", line 33, in forward
          return self.mlp(x)
      torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.31 GiB. GPU 2 has a total capacity \
      of 79.35 GiB of which 1.15 GiB is free. Process 40881 has 78.19 GiB memory in use. Of the allocated \
      memory 73.61 GiB is allocated by PyTorch, and 0.18 GiB is reserved by PyTorch but unallocated.
      """;

  private static String lines(int characters, long seed) {
    Random random = new Random(seed);
    StringBuilder text = new StringBuilder(characters + 200);
    for (int step = 0; text.length() < characters; step++) {
      text.append("2026-11-29 10:00:00,123 INFO trainer.py:221 step ")
          .append(step)
          .append(" loss ")
          .append(random.nextInt(100_000))
          .append(" tokens/s ")
          .append(random.nextInt(100_000))
          .append('\n');
    }
    return text.toString();
  }

  private static long line(String text) {
    return text.substring(0, text.indexOf("torch.OutOf")).lines().count() + 1;
  }

  @Test
  void theMiddleOfALongLogHoldsTheFailure() throws IOException {
    String log = lines(LogExcerpt.MAX_WHOLE, 1) + MESSAGE + lines(LogExcerpt.MAX_WHOLE / 2, 2);
    LogExcerpt excerpt = LogExcerpt.read(new StringReader(log));
    assertThat(excerpt.isWhole()).isFalse();
    assertThat(excerpt.characters()).isEqualTo(log.length());
    assertThat(excerpt.lines()).isEqualTo(log.lines().count());
    assertThat(excerpt.unreadCharacters()).isZero();
    assertThat(excerpt.text().length()).isLessThan(log.length() / 8);
    LogExplanation explanation = LogExplanation.of(excerpt);
    assertThat(explanation.summary()).contains("2.31 GiB on GPU 2");
    Conclusion conclusion = explanation.conclusions().getFirst();
    assertThat(conclusion.message().line()).isEqualTo(line(log));
    assertThat(conclusion.statements())
        .anyMatch(statement -> statement.text().contains("forward (model.py:33)"));
  }

  @Test
  void aLogUpToTheLimitIsExplainedAsAWhole() throws IOException {
    String log = lines(1 << 20, 3);
    assertThat(LogExcerpt.read(new StringReader(log))).isEqualTo(LogExcerpt.of(log));
    String full = log.repeat(32).substring(0, LogExcerpt.MAX_WHOLE);
    assertThat(LogExcerpt.read(new StringReader(full)).text()).isEqualTo(full);
    assertThat(LogExcerpt.read(new StringReader(full + "x")).isWhole()).isFalse();
    assertThat(LogExcerpt.read(new StringReader(""))).isEqualTo(LogExcerpt.of(""));
  }

  @Test
  void aMessageIsFoundWhereverABlockEnds() throws IOException {
    String before = lines(LogExcerpt.MAX_WHOLE - 3_000_000, 4);
    String after = lines(4_000_000, 5);
    for (int shift = 0; shift < (1 << 16); shift += 4099) {
      String log = before + "x".repeat(shift) + "\n" + MESSAGE + after;
      LogExplanation explanation = LogExplanation.of(LogExcerpt.read(new StringReader(log)));
      assertThat(explanation.summary()).as("%d", shift).contains("2.31 GiB on GPU 2");
      assertThat(explanation.conclusions().getFirst().message().line()).isEqualTo(line(log));
    }
  }

  @Test
  void whatHasNoRoomIsSaid() throws IOException {
    StringBuilder log = new StringBuilder();
    while (log.length() < 50_000_000) {
      log.append(MESSAGE.replace("2.31", log.length() % 900 / 100 + ".31"));
    }
    LogExcerpt excerpt = LogExcerpt.read(new StringReader(log.toString()));
    assertThat(excerpt.text().length()).isLessThan(LogExcerpt.MAX_WHOLE);
    assertThat(excerpt.unreadCharacters()).isGreaterThan(20_000_000);
    assertThat(LogExplanation.of(excerpt).summary()).contains("MB between them were not");
  }

  @Test
  void oneLineWithoutEndIsBounded() throws IOException {
    String log = "x".repeat(40_000_000) + "\n" + MESSAGE + "y".repeat(9_000_000);
    LogExcerpt excerpt = LogExcerpt.read(new StringReader(log));
    assertThat(excerpt.text().length()).isLessThan(4_000_000);
    assertThat(LogExplanation.of(excerpt).summary()).contains("2.31 GiB on GPU 2");
  }

  @Test
  void everyExampleOfEveryProducerHasItsWords() {
    for (MessageProducer producer : Producers.all()) {
      for (String example : producer.examples()) {
        List<LogMessage> messages = Producers.read(example).messages();
        boolean isFailure = messages.stream().anyMatch(each -> each.kind().isFailure());
        Relevance relevance = MessageWords.standard().relevance(example);
        assertThat(relevance).as(example).isNotEqualTo(Relevance.NONE);
        if (isFailure) {
          assertThat(relevance).as(example).isEqualTo(Relevance.FAILURE);
        }
      }
    }
  }
}
