package dev.vramscope.replay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Test;

class TraceLinesTest {
  private static TraceLines lines(String text) {
    return new TraceLines(new ByteArrayInputStream(text.getBytes(UTF_8)));
  }

  @Test
  void commentsAndEmptyLinesAreCountedButSkipped() throws IOException {
    TraceLines lines = lines("# purpose\n\n  \nmalloc 1 700 0\r\nfree 1");
    assertTrue(lines.next());
    assertEquals(4, lines.line());
    assertTrue(lines.isOperation("malloc"));
    assertEquals(700, lines.number(2));
    assertEquals(4, lines.tokenCount());
    assertTrue(lines.next());
    assertTrue(lines.isOperation("free"));
    assertEquals(5, lines.line());
    assertFalse(lines.next());
  }

  @Test
  void restPreservesWhitespace() throws IOException {
    TraceLines lines = lines("set_config  a : 1 , b \n");
    assertTrue(lines.next());
    assertEquals("a : 1 , b ", lines.rest(1));
    assertEquals("", lines.rest(9));
  }

  @Test
  void linesMayBeLongerThanTheBuffer() throws IOException {
    String text = "x".repeat(300_000);
    TraceLines lines = lines("metadata " + text + "\nfree 2\n");
    assertTrue(lines.next());
    assertEquals(text, lines.rest(1));
    assertTrue(lines.next());
    assertEquals(2, lines.number(1));
  }

  @Test
  void invalidNumbersAreRejected() throws IOException {
    TraceLines lines = lines("free x\nfree\n");
    assertTrue(lines.next());
    assertEquals(
        "'x' is not a number.",
        assertThrows(TraceLineException.class, () -> lines.number(1)).getMessage());
    assertTrue(lines.next());
    assertThrows(TraceLineException.class, () -> lines.number(1));
  }

  @Test
  void cutCommentRemovesTextFromTheFirstHash() throws IOException {
    TraceLines lines = lines("malloc 1 700#x y\n # all of it\nfree 1 #\nfree #2 3#\n");
    assertTrue(lines.next());
    assertTrue(lines.cutComment());
    assertEquals(3, lines.tokenCount());
    assertEquals(700, lines.number(2));
    assertTrue(lines.isPlainNumber(2));
    assertEquals("1 700", lines.rest(1));
    assertTrue(lines.next());
    assertFalse(lines.cutComment());
    assertTrue(lines.next());
    assertTrue(lines.cutComment());
    assertEquals(2, lines.tokenCount());
    assertTrue(lines.next());
    assertTrue(lines.cutComment());
    assertEquals(1, lines.tokenCount());
    assertEquals(4, lines.line());
    assertFalse(lines.next());
  }

  @Test
  void hashInsideATokenIsNoCommentUntilCut() throws IOException {
    TraceLines lines = lines("annotate 7 #tag\n");
    assertTrue(lines.next());
    assertEquals("#tag", lines.token(2));
  }

  @Test
  void plainNumbersAreUnsignedCanonicalAndFit() throws IOException {
    TraceLines lines =
        lines("n 0 10 010 -1 1k 999999999999999999 9999999999999999999 18446744073709551615");
    assertTrue(lines.next());
    boolean[] plain = {false, true, true, false, false, false, true, false, false};
    for (int token = 0; token < plain.length; token++) {
      assertEquals(plain[token], lines.isPlainNumber(token), lines.token(token));
    }
    assertEquals(10, lines.number(3));
    assertEquals(-1, lines.number(4));
    assertThrows(TraceLineException.class, () -> lines.number(5));
    assertEquals(-1, lines.number(8));
  }

  @Test
  void unsignedNumbersFitIntoSixtyFourBits() throws IOException {
    TraceLines lines = lines("malloc 0 18446744073709551615 18446744073709551616 -5 +5 3Q\n");
    assertTrue(lines.next());
    assertEquals(0, lines.unsigned(1));
    assertEquals(-1, lines.unsigned(2));
    for (int token = 3; token <= 7; token++) {
      int bad = token;
      assertThrows(TraceLineException.class, () -> lines.unsigned(bad));
    }
  }

  @Test
  void tokensBeyondTheSixtyFourthAreIgnored() throws IOException {
    TraceLines lines = lines("n" + " 7".repeat(80) + "\nfree 1\n");
    assertTrue(lines.next());
    assertEquals(64, lines.tokenCount());
    assertEquals(7, lines.number(63));
    assertTrue(lines.next());
    assertTrue(lines.isOperation("free"));
  }

  /** For every split of the text into reads, with and without a final newline. */
  @Test
  void linesDoNotDependOnReadBoundaries() throws IOException {
    String text = "malloc 12 3456\n\n# no\r\nfree 12";
    for (String end : new String[] {"", "\n"}) {
      for (int piece = 1; piece <= text.length(); piece++) {
        TraceLines lines = new TraceLines(inPieces(text + end, piece));
        assertTrue(lines.next());
        assertEquals(3456, lines.number(2));
        assertTrue(lines.next());
        assertEquals(4, lines.line());
        assertEquals(12, lines.number(1));
        assertFalse(lines.next());
      }
    }
  }

  private static InputStream inPieces(String text, int length) {
    return new FilterInputStream(new ByteArrayInputStream(text.getBytes(UTF_8))) {
      @Override
      public int read(byte[] bytes, int from, int most) throws IOException {
        return super.read(bytes, from, Math.min(most, length));
      }
    };
  }
}
