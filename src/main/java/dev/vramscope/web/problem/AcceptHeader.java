package dev.vramscope.web.problem;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.springframework.http.HttpHeaders;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;

/** Decides between a page and JSON: browsers name HTML in {@code Accept}, curl does not. */
public final class AcceptHeader {
  private AcceptHeader() {}

  /** Whether {@code Accept} names JSON; a wildcard does not count. */
  public static boolean namesJson(HttpServletRequest request) {
    String accept = request.getHeader(HttpHeaders.ACCEPT);
    return accept != null && accept.contains("json");
  }

  /** Whether {@code Accept} names {@code text/html} itself; a wildcard does not count. */
  public static boolean namesHtml(HttpServletRequest request) {
    String accept = request.getHeader(HttpHeaders.ACCEPT);
    if (accept == null) {
      return false;
    }
    try {
      List<MediaType> types = MediaType.parseMediaTypes(accept);
      return types.stream()
          .anyMatch(type -> type.isConcrete() && type.equalsTypeAndSubtype(MediaType.TEXT_HTML));
    } catch (InvalidMediaTypeException malformed) {
      return false;
    }
  }
}
