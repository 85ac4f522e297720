package dev.vramscope.web;

import java.net.http.HttpResponse;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Parses a response body. */
public final class Json {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private Json() {}

  public static JsonNode of(String text) {
    return MAPPER.readTree(text);
  }

  public static JsonNode of(HttpResponse<byte[]> answer) {
    return MAPPER.readTree(answer.body());
  }
}
