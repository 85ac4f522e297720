package dev.vramscope.web;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;

/** Tells who would rather see a page from who would rather see JSON. */
@Component
final class Browsers {
  /** Whether HTML is named in Accept, as browsers do and curl does not. */
  boolean wantsHtml(HttpServletRequest request) {
    String accept = request.getHeader("Accept");
    if (accept == null) {
      return false;
    }
    try {
      List<MediaType> types = MediaType.parseMediaTypes(accept);
      return types.stream()
          .anyMatch(type -> type.isConcrete() && type.equalsTypeAndSubtype(MediaType.TEXT_HTML));
    } catch (InvalidMediaTypeException unreadable) {
      return false;
    }
  }
}
