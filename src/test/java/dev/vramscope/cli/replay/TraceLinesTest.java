package dev.vramscope.cli.replay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class TraceLinesTest {
  private static TraceLines lines(String text) {
    return new TraceLines(new ByteArrayInputStream(text.getBytes(UTF_8)));
  }

  @Test
  void commentsAndEmptyLinesAreCountedButSkipped() throws IOException {
    TraceLines lines = lines("# what for\n\n  \nmalloc 1 700 0\r\nfree 1");
    assertTrue(lines.next());
    assertEquals(4, lines.line());
    assertTrue(lines.isOperation("malloc"));
    assertEquals(700, lines.number(2));
    assertEquals(4, lines.words());
    assertTrue(lines.next());
    assertTrue(lines.isOperation("free"));
    assertEquals(5, lines.line());
    assertFalse(lines.next());
  }

  @Test
  void restKeepsItsBlanks() throws IOException {
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
  void whatIsNoNumberIsNamedWithItsLine() throws IOException {
    TraceLines lines = lines("free x\nfree\n");
    assertTrue(lines.next());
    assertEquals(
        "Line 1: 'x' is not a number.",
        assertThrows(IllegalArgumentException.class, () -> lines.number(1)).getMessage());
    assertTrue(lines.next());
    assertThrows(IllegalArgumentException.class, () -> lines.number(1));
  }
}
