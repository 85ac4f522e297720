package dev.vramscope.web.request;

import dev.vramscope.web.problem.RefusedRequestException;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Locale;
import org.springframework.http.MediaType;

/** A body that is a text, whatever its content type says, except for a form of parts. */
public final class TextBody {
  private TextBody() {}

  /**
   * Refuses a form of parts, as {@code curl -F} sends it. The form that {@code curl -d} declares is
   * the text itself.
   */
  public static void requireNoForm(HttpServletRequest request) {
    String type = request.getContentType();
    if (type != null
        && type.strip().toLowerCase(Locale.ROOT).startsWith(MediaType.MULTIPART_FORM_DATA_VALUE)) {
      throw RefusedRequestException.multipart();
    }
  }
}
