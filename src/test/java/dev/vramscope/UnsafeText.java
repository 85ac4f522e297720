package dev.vramscope;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.model.JsonText;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;

/** Characters that no output may contain as they are, in texts and in a snapshot. */
public final class UnsafeText {
  /** Listed here once more, so that a mistake in the product is found. */
  private static final String CONTROLS =
      "\u0000\u0001\u0007\b\u000b\f\r\u001b\u007f\u0080\u0085\u009b\u009d\u009f";

  private static final String OTHERS =
      "\u061c\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"
          + "\udb40\udc41";

  /** Halves of surrogate pairs. */
  private static final String HALVES = "\ud800x\udc00x";

  /** In place of them in JSON, which cannot have them; they have as many bytes in UTF-8. */
  private static final String PLACEHOLDERS = "\ue000x\ue001x";

  /** All of them between letters, and a line that a log or a terminal could take for its own. */
  public static final String ALL = spread(CONTROLS + OTHERS) + HALVES + "\r\nforged: line\n";

  /** What the name of a file on a disk and a log can contain. */
  public static final String WITHOUT_NUL =
      spread((CONTROLS + OTHERS).replace("\u0000", "")) + "\nforged";

  /** What a client can write into a URL or a header: text that has an encoding. */
  public static final String ENCODABLE = spread(CONTROLS + OTHERS) + "\nforged";

  private static final long BASE = 1L << 40;

  private UnsafeText() {}

  private static String spread(String characters) {
    StringBuilder text = new StringBuilder("u");
    characters.codePoints().forEach(each -> text.appendCodePoint(each).append('u'));
    return text.toString();
  }

  /** Fails if a text contains one of them, with the place. */
  public static void assertVisible(String where, String text) {
    Set<String> found = new TreeSet<>();
    for (int at = 0; at < text.length(); at += Character.charCount(text.codePointAt(at))) {
      int each = text.codePointAt(at);
      boolean isLineEnd =
          each == '\n'
              || each == '\t'
              || (each == '\r' && at + 1 < text.length() && text.charAt(at + 1) == '\n');
      boolean isUnsafe =
          Character.isISOControl(each)
              || (each >= Character.MIN_SURROGATE && each <= Character.MAX_SURROGATE)
              || OTHERS.indexOf(each) >= 0;
      if (isUnsafe && !isLineEnd) {
        int from = Math.max(0, at - 40);
        found.add("U+%04X after …%s".formatted(each, text.substring(from, at)));
      }
    }
    assertThat(found).as(where).isEmpty();
  }

  /** The same for bytes, which must be UTF-8. */
  public static String assertVisible(String where, byte[] utf8) {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString();
      assertVisible(where, text);
      return text;
    } catch (CharacterCodingException invalid) {
      throw new AssertionError(where + " is not UTF-8", invalid);
    }
  }

  /**
   * A pickle that the service wrote for {@link #snapshot}, with halves of surrogate pairs as Python
   * writes them.
   */
  public static byte[] withHalves(byte[] pickle) {
    return new String(pickle, StandardCharsets.ISO_8859_1)
        .replace("\u00ee\u0080\u0080", "\u00ed\u00a0\u0080")
        .replace("\u00ee\u0080\u0081", "\u00ed\u00b0\u0080")
        .getBytes(StandardCharsets.ISO_8859_1);
  }

  /**
   * A snapshot with a failed request, in JSON, whose every text is {@link #ALL}, with others in
   * place of the halves of surrogate pairs.
   */
  public static String snapshot() {
    String text = quoted(ALL.replace(HALVES, PLACEHOLDERS));
    String frames =
        "\"frames\": [{\"name\": %1$s, \"filename\": %1$s, \"line\": 7, \"fx_node_op\": %1$s,"
            + " \"fx_node_name\": %1$s, \"fx_node_target\": %1$s, \"fx_original_trace\": %1$s},"
            + " {\"name\": \"main\", \"filename\": %1$s, \"line\": 1}]";
    String event =
        "{\"action\": %2$s, \"addr\": %3$d, \"size\": %4$d, \"stream\": 0, \"time_us\": %5$d,"
            + " \"user_metadata\": %1$s, \"compile_context\": %1$s, \"category\": %1$s, "
            + frames
            + "}";
    String format =
        "{\"segments\": [{\"device\": 0, \"address\": %3$d, \"total_size\": 20971520,"
            + " \"stream\": 0, \"segment_type\": \"large\", \"blocks\": [{\"address\": %3$d,"
            + " \"size\": 1048576, \"requested_size\": 1000000, \"state\": \"active_allocated\","
            + " "
            + frames
            + "}, {\"address\": %6$d, \"size\": 19922944, \"state\": \"inactive\"}]}],"
            + " \"device_traces\": [["
            + event.replace("%2$s", "\"segment_alloc\"").replace("%4$d", "20971520")
            + ","
            + event.replace("%2$s", "\"alloc\"").replace("%4$d", "1000000")
            + ","
            + event.replace("%2$s", text.replace("%", "%%"))
            + ", {\"action\": \"oom\", \"device_free\": 1000, \"size\": 10000000000, \"stream\": 0,"
            + " "
            + frames
            + "}]],"
            + " \"allocator_settings\": {\"PYTORCH_CUDA_ALLOC_CONF\": %1$s, %1$s: %1$s},"
            + " \"external_annotations\": [{\"name\": %1$s, \"stage\": \"START\", \"device\": 0,"
            + " \"time_us\": %5$d}, {\"name\": %1$s, \"stage\": \"END\", \"device\": 0,"
            + " \"time_us\": %7$d}],"
            + " \"vramscope\": {\"producer\": %1$s, \"findings\": [{\"severity\": \"warning\","
            + " \"code\": \"trailing-bytes\", \"message\": %1$s, \"count\": 1}]},"
            + " %1$s: 1}";
    return format.formatted(
        text, "", BASE, 4096, 1_700_000_000_000_000L, BASE + 1048576, 1_700_000_000_000_009L);
  }

  /** A text as JSON. */
  public static String quoted(String text) {
    StringBuilder quoted = new StringBuilder();
    JsonText.append(quoted, text);
    return quoted.toString();
  }
}
