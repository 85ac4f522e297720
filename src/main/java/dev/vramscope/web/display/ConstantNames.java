package dev.vramscope.web.display;

import dev.vramscope.model.Certainty;
import dev.vramscope.postmortem.cause.Verdict;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.media.Schema;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.springdoc.core.customizers.OpenApiCustomizer;
import org.springframework.stereotype.Component;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.StdSerializer;

/**
 * Enum constants in the JSON of the REST API: {@code pending-free}, in lower case with hyphens, as
 * all other ids. The cause and the certainty of a verdict keep the names of their constants, such
 * as {@code TOO_MUCH_LIVE}: programs compare them, and they are not shown.
 */
@Component
public final class ConstantNames implements OpenApiCustomizer {
  private static final String VERDICT = Verdict.class.getSimpleName();

  public static String of(Enum<?> constant) {
    return constant instanceof Verdict.Cause || constant instanceof Certainty
        ? constant.name()
        : id(constant.name());
  }

  private static String id(String name) {
    return name.toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public static SimpleModule jsonModule() {
    return new SimpleModule("enum-constants").addSerializer(new Serializer());
  }

  /** The same names in the OpenAPI document. */
  @Override
  public void customise(OpenAPI document) {
    document
        .getComponents()
        .getSchemas()
        .forEach(
            (name, schema) -> {
              Map<?, ?> members = schema.getProperties();
              if (!name.equals(VERDICT) && members != null) {
                members.values().forEach(ConstantNames::rename);
              }
            });
  }

  /** Renames the constants of a member, also of one that may be null. */
  private static void rename(Object member) {
    if (member instanceof Schema<?> schema) {
      if (schema.getEnum() != null) {
        renameAll(schema);
      }
      if (schema.getAnyOf() != null) {
        schema.getAnyOf().forEach(ConstantNames::rename);
      }
    }
  }

  @SuppressWarnings("unchecked")
  private static void renameAll(Schema<?> schema) {
    List<Object> ids =
        schema.getEnum().stream().<Object>map(name -> id(String.valueOf(name))).toList();
    ((Schema<Object>) schema).setEnum(ids);
  }

  private static final class Serializer extends StdSerializer<Enum<?>> {
    Serializer() {
      super(Enum.class);
    }

    @Override
    public void serialize(Enum<?> constant, JsonGenerator json, SerializationContext context) {
      json.writeString(of(constant));
    }
  }
}
