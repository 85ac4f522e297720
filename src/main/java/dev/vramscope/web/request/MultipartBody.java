package dev.vramscope.web.request;

import dev.vramscope.web.problem.RefusedRequestException;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Locale;

/** Bodies that declare to be a form of parts, as {@code curl -F} sends it. */
public final class MultipartBody {
  private MultipartBody() {}

  /** Whether the body of a request is one. */
  public static boolean isOf(HttpServletRequest request) {
    String type = request.getContentType();
    return type != null && type.strip().toLowerCase(Locale.ROOT).startsWith("multipart/");
  }

  /**
   * Refuses one where the body is the text itself, whatever else its content type says: also the
   * form that {@code curl -d} declares.
   */
  public static void refuse(HttpServletRequest request) {
    if (isOf(request)) {
      throw RefusedRequestException.multipart();
    }
  }
}
