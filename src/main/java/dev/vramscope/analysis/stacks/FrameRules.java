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
import java.util.List;
import java.util.Locale;

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

  private static final String DISPATCH = "DISPATCH";
  private static final String NOISE = "NOISE";
  private static final String BACKWARD = "BACKWARD";
  private static final String STATE = "STATE";
  private static final String EMPTY = "(empty)";

  private final List<Match> noise;
  private final List<Match> dispatch;
  private final List<Match> backward;
  private final List<Match> optimizerState;
  private final List<Rule<FrameKind>> kinds;
  private final List<Rule<Category>> categories;

  private FrameRules(
      List<Match> noise,
      List<Match> dispatch,
      List<Match> backward,
      List<Match> optimizerState,
      List<Rule<FrameKind>> kinds,
      List<Rule<Category>> categories) {
    this.noise = List.copyOf(noise);
    this.dispatch = List.copyOf(dispatch);
    this.backward = List.copyOf(backward);
    this.optimizerState = List.copyOf(optimizerState);
    this.kinds = List.copyOf(kinds);
    this.categories = List.copyOf(categories);
  }

  /** The built-in rules. */
  public static FrameRules standard() {
    return STANDARD;
  }

  /** Parses rules, one per line: a class, {@code name} or {@code file}, a comparison and a text. */
  static FrameRules of(List<String> lines) {
    List<Match> noise = new ArrayList<>();
    List<Match> dispatch = new ArrayList<>();
    List<Match> backward = new ArrayList<>();
    List<Match> optimizerState = new ArrayList<>();
    List<Rule<FrameKind>> kinds = new ArrayList<>();
    List<Rule<Category>> categories = new ArrayList<>();
    for (String line : lines) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      String[] fields = line.strip().split("\\s+", 4);
      if (fields.length < 4) {
        throw new IllegalArgumentException("a frame rule has four fields:  " + line);
      }
      String result = fields[0].toUpperCase(Locale.ROOT);
      String text = fields[3].equals(EMPTY) ? "" : fields[3];
      Match match = new Match(isName(fields[1]), Comparison.of(fields[2]), text);
      if (result.equals(NOISE)) {
        noise.add(match);
      } else if (result.equals(DISPATCH)) {
        dispatch.add(match);
      } else if (result.equals(BACKWARD)) {
        backward.add(match);
      } else if (result.equals(STATE)) {
        optimizerState.add(match);
      } else if (isKind(result)) {
        kinds.add(new Rule<>(FrameKind.valueOf(result), match));
      } else {
        categories.add(new Rule<>(Category.valueOf(result), match));
      }
    }
    return new FrameRules(noise, dispatch, backward, optimizerState, kinds, categories);
  }

  /** The kind of code of a frame; {@link FrameKind#USER} if no rule matches. */
  public FrameKind kind(Frame frame) {
    return decide(kinds, frame, FrameKind.USER);
  }

  /** Whether a frame belongs to the capture of the stack or to the start of its thread. */
  boolean isNoise(Frame frame) {
    return noise.stream().anyMatch(match -> match.matches(frame));
  }

  /**
   * Whether a frame only forwards requests to the allocator; nearly every stack contains such
   * frames.
   */
  boolean isDispatch(Frame frame) {
    return dispatch.stream().anyMatch(match -> match.matches(frame));
  }

  /** Whether a frame belongs to the backward pass, or to code that the backward pass calls. */
  boolean isBackward(Frame frame) {
    return backward.stream().anyMatch(match -> match.matches(frame));
  }

  /** Whether a frame creates the state of an optimizer, which lives as long as the optimizer. */
  boolean isOptimizerState(Frame frame) {
    return optimizerState.stream().anyMatch(match -> match.matches(frame));
  }

  /** The probable use of memory allocated under a frame, judging by this frame alone. */
  Category category(Frame frame) {
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

  private static boolean isName(String word) {
    return switch (word) {
      case "name" -> true;
      case "file" -> false;
      default -> throw new IllegalArgumentException("a rule matches name or file, not  " + word);
    };
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
    COMMUNICATION,
    WORKSPACE,
    UNKNOWN;

    public boolean isKnown() {
      return this != UNKNOWN;
    }
  }

  private record Rule<T>(T result, Match match) {}

  private record Match(boolean matchesName, Comparison comparison, String text) {
    boolean matches(Frame frame) {
      String subject = matchesName ? frame.name() : frame.file().replace('\\', '/');
      return switch (comparison) {
        case IS -> subject.equals(text);
        case STARTS -> subject.startsWith(text);
        case ENDS -> subject.endsWith(text);
        case CONTAINS -> subject.contains(text);
      };
    }
  }

  /** How a rule compares its text with the frame's. */
  private enum Comparison {
    IS,
    STARTS,
    ENDS,
    CONTAINS;

    static Comparison of(String word) {
      return valueOf(word.toUpperCase(Locale.ROOT));
    }
  }
}
