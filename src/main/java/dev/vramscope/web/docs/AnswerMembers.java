package dev.vramscope.web.docs;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.ALWAYS;
import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_EMPTY;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JavaType;
import io.swagger.v3.core.converter.AnnotatedType;
import io.swagger.v3.core.converter.ModelConverter;
import io.swagger.v3.core.converter.ModelConverterContext;
import io.swagger.v3.core.util.Json;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.JsonSchema;
import io.swagger.v3.oas.models.media.Schema;
import java.lang.reflect.RecordComponent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArraySet;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.customizers.OpenApiCustomizer;
import org.springframework.stereotype.Component;

/**
 * Says in the OpenAPI document which members every answer has, and which may be null: those of a
 * record that are {@code @Nullable} or optional. Bodies of requests may leave out members that have
 * a default, which records do not know: they are left as they are.
 */
@Component
final class AnswerMembers implements ModelConverter, OpenApiCustomizer {
  private static final String REFERENCE = "#/components/schemas/";
  private static final Set<Class<?>> OPTIONAL =
      Set.of(Optional.class, OptionalInt.class, OptionalLong.class, OptionalDouble.class);

  /** The records of each schema: one, or the document would describe only one of them. */
  private final Map<String, Set<Class<?>>> records = new ConcurrentHashMap<>();

  @Override
  public @Nullable Schema<?> resolve(
      AnnotatedType type, ModelConverterContext context, Iterator<ModelConverter> chain) {
    if (!chain.hasNext()) {
      return null;
    }
    Schema<?> schema = chain.next().resolve(type, context, chain);
    String name = schema == null ? null : nameOf(schema);
    if (name != null) {
      JavaType javaType = Json.mapper().constructType(type.getType());
      while (!javaType.getRawClass().isRecord() && javaType.containedTypeCount() == 1) {
        javaType = javaType.containedType(0); // such as of a ResponseEntity
      }
      if (javaType.getRawClass().isRecord()) {
        records.computeIfAbsent(name, _ -> new CopyOnWriteArraySet<>()).add(javaType.getRawClass());
      }
    }
    return schema;
  }

  @Override
  public void customise(OpenAPI document) {
    List<String> ambiguous =
        records.entrySet().stream()
            .filter(entry -> entry.getValue().size() > 1)
            .map(entry -> entry.getKey() + ": " + entry.getValue())
            .sorted()
            .toList();
    if (!ambiguous.isEmpty()) {
      throw new IllegalStateException("name these schemas with @Schema: " + ambiguous);
    }
    Map<String, Schema<?>> schemas = byName(document.getComponents().getSchemas());
    List<Content> answers = new ArrayList<>();
    List<Content> bodies = new ArrayList<>();
    document.getPaths().values().stream()
        .flatMap(path -> path.readOperations().stream())
        .forEach(
            operation -> {
              if (operation.getRequestBody() != null) {
                bodies.add(operation.getRequestBody().getContent());
              }
              operation.getResponses().values().stream()
                  .filter(response -> response.getContent() != null)
                  .forEach(response -> answers.add(response.getContent()));
            });
    Set<String> names = reachable(answers, schemas);
    names.removeAll(reachable(bodies, schemas));
    for (String name : names) {
      Schema<?> schema = schemas.get(name);
      if (schema != null) {
        records.getOrDefault(name, Set.of()).forEach(type -> describe(schema, type));
      }
    }
  }

  /** The names of the schemas that contents refer to, also through other schemas. */
  private static Set<String> reachable(
      Collection<Content> contents, Map<String, Schema<?>> schemas) {
    Set<String> names = new LinkedHashSet<>();
    Deque<Schema<?>> pending = new ArrayDeque<>();
    contents.stream()
        .flatMap(content -> content.values().stream())
        .filter(content -> content.getSchema() != null)
        .forEach(content -> pending.add(content.getSchema()));
    while (!pending.isEmpty()) {
      Schema<?> schema = pending.remove();
      pending.addAll(parts(schema));
      String reference = schema.get$ref();
      if (reference != null && names.add(nameOf(reference))) {
        Schema<?> target = schemas.get(nameOf(reference));
        if (target != null) {
          pending.add(target);
        }
      }
    }
    return names;
  }

  private static List<Schema<?>> parts(Schema<?> schema) {
    List<Schema<?>> parts = new ArrayList<>(byName(schema.getProperties()).values());
    for (List<?> variants : lists(schema.getAllOf(), schema.getAnyOf(), schema.getOneOf())) {
      variants.forEach(variant -> parts.add((Schema<?>) variant));
    }
    if (schema.getItems() != null) {
      parts.add(schema.getItems());
    }
    if (schema.getAdditionalProperties() instanceof Schema<?> values) {
      parts.add(values);
    }
    return parts;
  }

  private static List<List<?>> lists(@Nullable List<?>... lists) {
    List<List<?>> present = new ArrayList<>();
    for (List<?> list : lists) {
      if (list != null) {
        present.add(list);
      }
    }
    return present;
  }

  private static Map<String, Schema<?>> byName(@Nullable Map<?, ?> schemas) {
    Map<String, Schema<?>> byName = new LinkedHashMap<>();
    if (schemas != null) {
      schemas.forEach((name, schema) -> byName.put((String) name, (Schema<?>) schema));
    }
    return byName;
  }

  private static void describe(Schema<?> schema, Class<?> type) {
    Map<String, Schema<?>> members = byName(schema.getProperties());
    for (RecordComponent component : type.getRecordComponents()) {
      String name = component.getName();
      Schema<?> member = members.get(name);
      if (member == null) {
        continue;
      }
      boolean isNullable =
          component.getAnnotatedType().isAnnotationPresent(Nullable.class)
              || OPTIONAL.contains(component.getType());
      JsonInclude.Include include = include(component, type);
      if (isNullable
          ? include == ALWAYS
          : include != NON_EMPTY || component.getType().isPrimitive()) {
        schema.addRequiredItem(name);
      }
      if (isNullable && include == ALWAYS) {
        schema.addProperty(name, orNull(member));
      }
    }
  }

  /** Which values the JSON has: all, those that are not null, or those that are not empty. */
  private static JsonInclude.Include include(RecordComponent component, Class<?> type) {
    JsonInclude ofMember = component.getAccessor().getAnnotation(JsonInclude.class);
    JsonInclude include = ofMember == null ? type.getAnnotation(JsonInclude.class) : ofMember;
    return include == null ? ALWAYS : include.value();
  }

  private static Schema<?> orNull(Schema<?> member) {
    if (member.get$ref() == null && member.getEnum() == null) {
      member.addType("null");
      return member;
    }
    var absent = new JsonSchema();
    absent.addType("null");
    var either = new JsonSchema();
    either.addAnyOfItem(member);
    either.addAnyOfItem(absent);
    return either;
  }

  /** The name of the schema, also of one that is referred to; null if it has none. */
  private static @Nullable String nameOf(Schema<?> schema) {
    String reference = schema.get$ref();
    return reference == null ? schema.getName() : nameOf(reference);
  }

  private static String nameOf(String reference) {
    return reference.substring(REFERENCE.length());
  }
}
