package dev.vramscope.postmortem.program;

import dev.vramscope.analysis.stacks.FrameMatch;
import dev.vramscope.postmortem.cause.Verdict.Cause;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads the rules of the resources {@code remedies/*.json}, which {@code index.txt} lists. */
public final class RemedyRules {
  private static final String FOLDER = "/remedies/";

  private static final List<RemedyRule> STANDARD = readAll();

  private RemedyRules() {}

  /** The built-in rules. Among equal ones, the first of the index comes first. */
  public static List<RemedyRule> standard() {
    return STANDARD;
  }

  private static List<RemedyRule> readAll() {
    List<RemedyRule> rules = new ArrayList<>();
    for (String line : text("index.txt").lines().toList()) {
      if (!line.isBlank()) {
        rules.add(of(line.strip(), text(line.strip() + ".json")));
      }
    }
    return List.copyOf(rules);
  }

  private static String text(String name) {
    try (InputStream in = RemedyRules.class.getResourceAsStream(FOLDER + name)) {
      if (in == null) {
        throw new IllegalStateException("the resource " + FOLDER + name + " is missing");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /**
   * Reads a rule.
   *
   * @throws IllegalArgumentException if a name or a condition is none
   */
  static RemedyRule of(String id, String json) {
    JsonNode rule = JsonMapper.shared().readTree(json);
    return new RemedyRule(
        id,
        rule.path("topic").asString(id),
        new RemedyRule.Condition(
            causes(rule.path("causes")),
            ProgramPart.valueOf(constant(rule.path("part"))),
            frames(rule.path("frames")),
            frames(rule.path("without")),
            rule.path("leastShare").asDouble()),
        rule.path("saves").asDouble(),
        RemedyRule.Kind.valueOf(constant(rule.path("kind"))),
        new RemedyRule.Text(
            rule.path("action").asString(),
            rule.path("what").asString(),
            rule.path("price").asString(""),
            rule.path("since").asString("")),
        rule.path("source").asString(),
        tried(rule.path("tried")));
  }

  /** The name of a constant that the rules write like {@code first-optimizer-step}. */
  private static String constant(JsonNode word) {
    return word.asString().toUpperCase(Locale.ROOT).replace('-', '_');
  }

  private static Set<Cause> causes(JsonNode names) {
    Set<Cause> causes = EnumSet.noneOf(Cause.class);
    names.forEach(name -> causes.add(Cause.valueOf(name.asString())));
    return causes;
  }

  private static List<FrameMatch> frames(JsonNode conditions) {
    return StreamSupport.stream(conditions.spliterator(), /* parallel= */ false)
        .map(condition -> FrameMatch.of(condition.asString()))
        .toList();
  }

  private static RemedyRule.@Nullable Tried tried(JsonNode tried) {
    return tried.isObject()
        ? new RemedyRule.Tried(
            tried.path("program").asString(),
            tried.path("before").asLong(),
            tried.path("after").asLong())
        : null;
  }
}
