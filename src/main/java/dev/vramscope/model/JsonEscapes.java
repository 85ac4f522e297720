package dev.vramscope.model;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.SerializableString;
import tools.jackson.core.io.CharacterEscapes;
import tools.jackson.core.io.SerializedString;
import tools.jackson.core.json.JsonFactory;

/**
 * The escapes of every JSON generator of the service: besides those that JSON requires, the unsafe
 * characters of {@link VisibleText}. Readers of the JSON get the original text.
 */
public final class JsonEscapes extends CharacterEscapes {
  private static final long serialVersionUID = 1L;
  private static final char DELETE = 0x7f;

  private final int[] ascii = standardAsciiEscapesForJSON();

  public JsonEscapes() {
    ascii[DELETE] = ESCAPE_STANDARD;
  }

  /** A factory of generators that have these escapes. */
  public static JsonFactory factory() {
    return JsonFactory.builder().characterEscapes(new JsonEscapes()).build();
  }

  @Override
  public int[] getEscapeCodesForAscii() {
    return ascii.clone();
  }

  /** Each half of a pair is escaped: whether the other half follows is not known here. */
  @Override
  public @Nullable SerializableString getEscapeSequence(int character) {
    if (!VisibleText.isUnsafe(character)) {
      return null;
    }
    StringBuilder escape = new StringBuilder();
    VisibleText.appendEscape(escape, character);
    return new SerializedString(escape.toString());
  }
}
