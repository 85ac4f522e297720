package dev.vramscope.web.problem;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.springframework.http.HttpStatus;

/**
 * An error response: the members of RFC 9457 and two extensions, {@code where} and {@code next}.
 *
 * @param type always {@code about:blank}: status and title identify the problem
 * @param title a few words
 * @param status the HTTP status
 * @param detail what is wrong, with the relevant values
 * @param where byte offset, path or parameter; empty if not applicable
 * @param next what the client can do
 * @param instance URL of the page that explains this occurrence; empty if there is none
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
  public static final String MEDIA_TYPE = "application/problem+json";

  public static Problem of(
      HttpStatus status, String title, String detail, String where, String next) {
    return new Problem("about:blank", title, status.value(), detail, where, next, "");
  }

  /** Sets {@code where} if it is empty. */
  Problem withDefaultWhere(String location) {
    return where.isEmpty()
        ? new Problem(type, title, status, detail, location, next, instance)
        : this;
  }

  /** Sets {@code instance}. */
  Problem withInstance(String page) {
    return new Problem(type, title, status, detail, where, next, page);
  }

  /** A request that no URL or header of this server can be. */
  public static Problem ofMalformedRequest() {
    return of(
        HttpStatus.BAD_REQUEST,
        "Malformed request",
        "The path or a name in the request contains a character or an encoding that no URL of this"
            + " server has",
        "request line, headers",
        "See /api/docs for the REST API, or start at the dashboard (/).");
  }
}
