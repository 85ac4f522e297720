package dev.vramscope.web.docs;

import java.util.List;

/** The REST API as the rows of a page. */
record ApiReference(List<Group> groups, List<Type> types) {
  /** The operations on one kind of resource. */
  record Group(String name, List<Operation> operations) {}

  /**
   * One operation.
   *
   * @param anchor the fragment of its URL
   * @param parameters those of path and query
   * @param bodyType media type and schema of the request body, empty if it has none
   * @param bodyExample the body as JSON, empty if it is not JSON
   * @param curl a command that calls it
   */
  record Operation(
      String method,
      String path,
      String anchor,
      String summary,
      String description,
      List<Member> parameters,
      String bodyType,
      List<Member> bodyMembers,
      String bodyExample,
      List<Response> responses,
      String curl) {}

  /**
   * A parameter or a member of a JSON object.
   *
   * @param in path or query, empty for a member
   * @param schema the name of the schema of an object, empty for other types
   */
  record Member(
      String name,
      String in,
      String type,
      String schema,
      boolean required,
      String description,
      String example) {}

  /**
   * A response.
   *
   * @param schema the name of its schema, empty if it has none
   * @param example a body, empty if there is none
   */
  record Response(
      String status, String description, String mediaType, String schema, String example) {}

  /** A JSON object in requests or responses. */
  record Type(String name, List<Member> members) {}
}
