package dev.vramscope.web;

import java.net.http.HttpResponse;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Parses a response body. */
final class Json {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private Json() {}

  static JsonNode of(String text) {
    return MAPPER.readTree(text);
  }

  static JsonNode of(HttpResponse<byte[]> answer) {
    return MAPPER.readTree(answer.body());
  }
}
