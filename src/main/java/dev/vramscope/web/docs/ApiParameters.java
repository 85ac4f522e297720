package dev.vramscope.web.docs;

import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.PathItem.HttpMethod;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.parameters.Parameter;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.customizers.OpenApiCustomizer;
import org.springframework.stereotype.Component;

/**
 * Descriptions and examples of parameters and body members, from {@code api-parameters.txt}, in the
 * OpenAPI document. Most of them belong to many operations.
 */
@Component
final class ApiParameters implements OpenApiCustomizer {
  private static final String FILE = "api-parameters.txt";
  private static final String API = "/api/v1/";

  private record Entry(String description, String example) {}

  private final Map<String, Entry> entries = new HashMap<>();

  ApiParameters() {
    try (InputStream stream = ApiParameters.class.getResourceAsStream(FILE)) {
      if (stream == null) {
        throw new IllegalStateException("missing resource " + FILE);
      }
      new String(stream.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .forEach(this::add);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private void add(String line) {
    String[] parts = line.split("\\|", -1);
    if (parts.length != 3) {
      throw new IllegalStateException(FILE + ": not 'name | description | example': " + line);
    }
    entries.put(parts[0].strip(), new Entry(parts[1].strip(), parts[2].strip()));
  }

  @Override
  public void customise(OpenAPI document) {
    document
        .getPaths()
        .forEach(
            (path, item) ->
                item.readOperationsMap()
                    .forEach((method, operation) -> describe(method, resource(path), operation)));
    document.getComponents().getSchemas().forEach(this::describe);
  }

  private void describe(HttpMethod method, String resource, Operation operation) {
    if (operation.getParameters() == null) {
      return;
    }
    for (Parameter parameter : operation.getParameters()) {
      Entry entry = entry(method, resource + "." + parameter.getName(), parameter.getName());
      if (entry == null) {
        continue;
      }
      if (parameter.getDescription() == null) {
        parameter.setDescription(entry.description());
      }
      if (!entry.example().isEmpty() && parameter.getExample() == null) {
        parameter.setExample(entry.example());
      }
    }
  }

  private @Nullable Entry entry(HttpMethod method, String ofResource, String ofAll) {
    return Stream.of(method + " " + ofResource, ofResource, ofAll)
        .map(entries::get)
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  private void describe(String name, Schema<?> schema) {
    if (schema.getProperties() == null) {
      return;
    }
    schema
        .getProperties()
        .forEach(
            (member, type) -> {
              Entry entry = entries.get(name + "." + member);
              if (entry != null && type.getDescription() == null) {
                type.setDescription(entry.description());
              }
            });
  }

  /** The first segment after the version: snapshots of {@code /api/v1/snapshots/{id}}. */
  private static String resource(String path) {
    return path.startsWith(API) ? path.substring(API.length()).split("/", -1)[0] : "";
  }
}
