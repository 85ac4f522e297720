package dev.vramscope.web.request;

import dev.vramscope.model.ByteSize;
import dev.vramscope.web.problem.RefusedRequestException;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A request parameter that holds a {@link ByteSize}. */
public final class SizeParameter {
  private SizeParameter() {}

  /**
   * Returns the bytes of a parameter, or empty if it is missing or blank.
   *
   * @throws RefusedRequestException if it is not a size
   */
  public static OptionalLong of(String name, @Nullable String text) {
    if (text == null || text.isBlank()) {
      return OptionalLong.empty();
    }
    try {
      return OptionalLong.of(ByteSize.parse(text));
    } catch (IllegalArgumentException invalid) {
      throw RefusedRequestException.badParameter(name, text, ByteSize.ACCEPTED);
    }
  }
}
