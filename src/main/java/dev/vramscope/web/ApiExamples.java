package dev.vramscope.web;

/** Examples in the API's description. */
final class ApiExamples {
  static final String FORBIDDEN_OPCODE =
      """
      {
        "type": "about:blank",
        "title": "Forbidden opcode",
        "status": 422,
        "detail": "The pickle holds STACK_GLOBAL, which would import code",
        "where": "byte 18",
        "next": "Nothing was run and nothing was stored. A memory snapshot never needs it: take the file from where it was written."
      }
      """;

  static final String NO_SNAPSHOT =
      """
      {
        "type": "about:blank",
        "title": "Not found",
        "status": 404,
        "detail": "There is no snapshot 0123456789abcdef",
        "where": "/api/v1/snapshots/0123456789abcdef",
        "next": "It may have been deleted. GET /api/v1/snapshots lists those that are stored."
      }
      """;

  private ApiExamples() {}
}
