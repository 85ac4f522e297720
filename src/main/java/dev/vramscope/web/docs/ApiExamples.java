package dev.vramscope.web.docs;

/** Example bodies in the OpenAPI description. */
public final class ApiExamples {
  public static final String FORBIDDEN_OPCODE =
      """
      {
        "type": "about:blank",
        "title": "Forbidden opcode",
        "status": 422,
        "detail": "The pickle opcode STACK_GLOBAL (0x93) would import or call code",
        "where": "byte 18",
        "next": "Memory snapshots consist of numbers, strings, lists and dicts; do not load this file in Python."
      }
      """;

  public static final String METADATA_PATCH =
      """
      {"name": "step 1200 of llama", "tags": {"job": "llama", "step": null}}
      """;

  public static final String NO_SNAPSHOT =
      """
      {
        "type": "about:blank",
        "title": "Not found",
        "status": 404,
        "detail": "There is no snapshot 0123456789abcdef",
        "where": "/api/v1/snapshots/0123456789abcdef",
        "next": "It may have been deleted. GET /api/v1/snapshots lists the stored snapshots."
      }
      """;

  public static final String MESSAGE =
      "CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.25 GiB of"
          + " which 1.34 GiB is free. Process 4711 has 12.00 GiB memory in use. …";

  public static final String WRONG_SETTINGS =
      """
      {
        "type": "about:blank",
        "title": "Settings not accepted",
        "status": 400,
        "detail": "Unrecognized key 'expandable_segment' in CUDA allocator config.",
        "where": "settings",
        "next": "Use the syntax of PYTORCH_CUDA_ALLOC_CONF; the message is PyTorch's."
      }
      """;

  public static final String CLOSED_ALLOCATOR =
      """
      {
        "type": "about:blank",
        "title": "Closed",
        "status": 410,
        "detail": "Allocator 3 was closed",
        "where": "GET /api/v1/allocators/3",
        "next": "GET /api/v1/allocators lists the hosted allocators; POST hosts a new one."
      }
      """;

  public static final String OUT_OF_MEMORY =
      """
      {
        "type": "about:blank",
        "title": "Out of device memory",
        "status": 507,
        "detail": "CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 1.00 GiB of which 1.00 GiB is free.",
        "next": "The state at the failure is stored. See instance for the latest post-mortem. Free blocks or empty the cache, then retry.",
        "instance": "/snapshots/0123456789abcdef/oom?n=0&total=1073741824"
      }
      """;

  private ApiExamples() {}
}
