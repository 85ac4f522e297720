package dev.vramscope.web.uploads;

import dev.vramscope.model.VisibleText;
import dev.vramscope.web.display.DisplayFormat;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.request.MetadataLimits;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ContentDisposition;
import org.springframework.http.HttpHeaders;

/**
 * The file name that a client sends in a header beside a raw body: {@code X-Filename: NAME} or
 * {@code Content-Disposition: attachment; filename="NAME"} (RFC 6266). Only the last element of a
 * path is used, without characters that cannot be displayed: nobody chooses those of a file's name
 * for the upload, so that they do not refuse it.
 */
public final class UploadFileName {
  static final String HEADER = "X-Filename";

  private static final DisplayFormat FORMAT = new DisplayFormat();

  private UploadFileName() {}

  /** The name, or null if the headers contain none. */
  public static @Nullable String of(HttpServletRequest request) {
    String plain = ofPath(text(request.getHeader(HEADER)));
    return plain != null
        ? plain
        : ofPath(dispositionName(request.getHeader(HttpHeaders.CONTENT_DISPOSITION)));
  }

  /** The last element of a path; null if it is blank. */
  public static @Nullable String ofPath(@Nullable String path) {
    if (path == null) {
      return null;
    }
    String name =
        FORMAT
            .fileName(path)
            .codePoints()
            .filter(character -> !VisibleText.isUnsafe(character))
            .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
            .toString()
            .strip();
    return name.isEmpty() ? null : FORMAT.elided(name, MetadataLimits.MAX_NAME);
  }

  private static @Nullable String dispositionName(@Nullable String header) {
    if (header == null) {
      return null;
    }
    try {
      ContentDisposition parsed = ContentDisposition.parse(header);
      return parsed.getCharset() == null ? text(parsed.getFilename()) : parsed.getFilename();
    } catch (IllegalArgumentException malformed) {
      throw RefusedRequestException.badParameter(
          "header Content-Disposition", header, "attachment; filename=\"NAME\"");
    }
  }

  /** Tomcat decodes headers as ISO 8859-1; curl sends the UTF-8 bytes of its command line. */
  private static @Nullable String text(@Nullable String header) {
    if (header == null) {
      return null;
    }
    ByteBuffer bytes = ByteBuffer.wrap(header.getBytes(StandardCharsets.ISO_8859_1));
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
    } catch (CharacterCodingException notUtf8) {
      return header;
    }
  }
}
