package dev.vramscope.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.springframework.http.HttpStatus;

/**
 * A refusal as every client sees it, in the members of RFC 9457 and two of our own.
 *
 * @param type always {@code about:blank}: the status and the words say all
 * @param title a few words
 * @param status the HTTP status
 * @param detail what is wrong, with its numbers
 * @param where byte offset, path or parameter; empty when there is none
 * @param next what can be done
 * @param instance the page that explains this very occurrence; empty when there is none
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record Problem(
    String type,
    String title,
    int status,
    String detail,
    String where,
    String next,
    String instance) {
  /** The media type of a problem in JSON. */
  static final String MEDIA_TYPE = "application/problem+json";

  static Problem of(HttpStatus status, String title, String detail, String where, String next) {
    return new Problem("about:blank", title, status.value(), detail, where, next, "");
  }

  /** The same, at {@code place} where no nearer place is known. */
  Problem orAt(String place) {
    return where.isEmpty() ? new Problem(type, title, status, detail, place, next, instance) : this;
  }

  /** The same, explained by a page. */
  Problem explainedBy(String page) {
    return new Problem(type, title, status, detail, where, next, page);
  }
}
