package dev.vramscope.web.display;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.UnsafeText;
import dev.vramscope.model.VisibleText;
import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class VisibleWriterTest {
  @Test
  void piecesOfATextGiveTheSameAsTheWholeText() throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    String text = "a😀\r\nb\rc\ud83d" + UnsafeText.ALL + "\r";
    for (int i = 0; i < 2_000; i++) {
      StringWriter written = new StringWriter();
      try (Writer writer = new VisibleWriter(written)) {
        for (int at = 0; at < text.length(); ) {
          int end = Math.min(text.length(), at + 1 + random.nextInt(5));
          write(writer, text.substring(at, end), random.nextInt(3));
          writer.flush();
          at = end;
        }
      }
      assertThat(written).as("seed 1, %s", i).hasToString(VisibleText.of(text));
    }
  }

  private static void write(Writer writer, String piece, int way) throws IOException {
    switch (way) {
      case 0 -> writer.write(piece);
      case 1 -> writer.write(piece.toCharArray());
      default -> {
        for (int i = 0; i < piece.length(); i++) {
          writer.write(piece.charAt(i));
        }
      }
    }
  }
}
