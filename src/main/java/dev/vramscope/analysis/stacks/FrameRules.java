package dev.vramscope.analysis.stacks;

import dev.vramscope.model.Frame;
import dev.vramscope.model.StackTable;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Classifies frames by the kind of code, and guesses the use of memory, with the ordered rules of
 * the resource {@code frame-rules.txt}. The first rule that matches applies.
 *
 * <pre>
 *   runtime    name   starts    c10::
 *   package    file   contains  /site-packages/
 *   optimizer  file   contains  /torch/optim/
 * </pre>
 */
public final class FrameRules {
  private static final FrameRules STANDARD = read("frame-rules.txt");

  private final Map<Trait, List<FrameMatch>> traits;
  private final List<Rule<FrameKind>> kinds;
  private final List<Rule<Category>> categories;

  private FrameRules(
      Map<Trait, List<FrameMatch>> traits,
      List<Rule<FrameKind>> kinds,
      List<Rule<Category>> categories) {
    this.traits = traits;
    this.kinds = List.copyOf(kinds);
    this.categories = List.copyOf(categories);
  }

  /** The built-in rules. */
  public static FrameRules standard() {
    return STANDARD;
  }

  /** Parses rules, one per line: a class, {@code name} or {@code file}, a comparison and a text. */
  static FrameRules of(List<String> lines) {
    Map<Trait, List<FrameMatch>> traits = new EnumMap<>(Trait.class);
    for (Trait trait : Trait.values()) {
      traits.put(trait, new ArrayList<>());
    }
    List<Rule<FrameKind>> kinds = new ArrayList<>();
    List<Rule<Category>> categories = new ArrayList<>();
    for (String line : lines) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      String[] fields = line.strip().split("\\s+", 2);
      if (fields.length < 2) {
        throw new IllegalArgumentException("a frame rule has four fields:  " + line);
      }
      String result = fields[0].toUpperCase(Locale.ROOT);
      FrameMatch match = FrameMatch.of(fields[1]);
      Trait trait = Trait.of(result);
      if (trait != null) {
        traits.getOrDefault(trait, List.of()).add(match);
      } else if (isKind(result)) {
        kinds.add(new Rule<>(FrameKind.valueOf(result), match));
      } else {
        categories.add(new Rule<>(Category.valueOf(result), match));
      }
    }
    return new FrameRules(traits, kinds, categories);
  }

  /** The kind of code of a frame; {@link FrameKind#USER} if no rule matches. */
  public FrameKind kind(Frame frame) {
    return decide(kinds, frame, FrameKind.USER);
  }

  /** Whether a frame has a trait. */
  public boolean has(Trait trait, Frame frame) {
    return traits.getOrDefault(trait, List.of()).stream().anyMatch(match -> match.matches(frame));
  }

  /** The probable use of memory allocated under a frame, judging by this frame alone. */
  public Category category(Frame frame) {
    return decide(categories, frame, Category.UNKNOWN);
  }

  private static <T> T decide(List<Rule<T>> rules, Frame frame, T otherwise) {
    for (Rule<T> rule : rules) {
      if (rule.match.matches(frame)) {
        return rule.result;
      }
    }
    return otherwise;
  }

  /** Classifies every frame of a stack table. */
  public StackClasses classify(StackTable stacks) {
    return new StackClasses(this, stacks);
  }

  private static boolean isKind(String result) {
    for (FrameKind kind : FrameKind.values()) {
      if (kind.name().equals(result)) {
        return true;
      }
    }
    return false;
  }

  private static FrameRules read(String resource) {
    try (InputStream in = FrameRules.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException(resource + " is missing next to " + FrameRules.class);
      }
      return of(
          new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)).lines().toList());
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** The probable use of memory, guessed from the allocating stack. */
  public enum Category {
    PARAMETERS,
    GRADIENTS,
    OPTIMIZER,
    ACTIVATIONS,
    /** Keys and values of attention, kept from token to token. */
    CACHE,
    /** Results that code collects, such as those of metrics. */
    OUTPUTS,
    /** Read from a file. */
    CHECKPOINT,
    COMMUNICATION,
    WORKSPACE,
    UNKNOWN
  }

  /** What a frame may be beside its kind and category. */
  public enum Trait {
    /** Belongs to the capture of the stack or to the start of its thread. */
    NOISE,
    /** Only forwards requests to the allocator; nearly every stack contains such frames. */
    DISPATCH,
    /** Belongs to the backward pass, or to code that the backward pass calls. */
    BACKWARD,
    /** Creates the state of an optimizer, which lives as long as the optimizer. */
    STATE,
    /** Runs within one step of a program, so that its loops are no loops of steps. */
    INSIDE,
    /** Calls a model, or a part of one. */
    MODEL,
    /** Is PyTorch's call of a module. */
    MODULE;

    private static @Nullable Trait of(String word) {
      for (Trait trait : values()) {
        if (trait.name().equals(word)) {
          return trait;
        }
      }
      return null;
    }
  }

  private record Rule<T>(T result, FrameMatch match) {}
}
