package dev.vramscope.analysis;

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
 * Says whose code a frame is, and guesses what memory is for, by the ordered patterns of one data
 * file: {@code frame-rules.txt} beside this class. The first rule that matches decides.
 *
 * <pre>
 *   runtime    name   starts    c10::
 *   package    file   contains  /site-packages/
 *   optimizer  file   contains  /torch/optim/
 * </pre>
 */
public final class FrameRules {
  private static final FrameRules STANDARD = read("frame-rules.txt");

  private static final String PLUMBING = "PLUMBING";
  private static final String NOISE = "NOISE";
  private static final String EMPTY = "(empty)";

  private final List<Match> noise;
  private final List<Match> plumbing;
  private final List<Rule<FrameKind>> kinds;
  private final List<Rule<Category>> categories;

  private FrameRules(
      List<Match> noise,
      List<Match> plumbing,
      List<Rule<FrameKind>> kinds,
      List<Rule<Category>> categories) {
    this.noise = List.copyOf(noise);
    this.plumbing = List.copyOf(plumbing);
    this.kinds = List.copyOf(kinds);
    this.categories = List.copyOf(categories);
  }

  /** The rules that come with the program. */
  public static FrameRules standard() {
    return STANDARD;
  }

  /** Rules from lines: a verdict, {@code name} or {@code file}, a comparison, and a text. */
  static FrameRules of(List<String> lines) {
    List<Match> noise = new ArrayList<>();
    List<Match> plumbing = new ArrayList<>();
    List<Rule<FrameKind>> kinds = new ArrayList<>();
    List<Rule<Category>> categories = new ArrayList<>();
    for (String line : lines) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      String[] words = line.strip().split("\\s+", 4);
      if (words.length < 4) {
        throw new IllegalArgumentException("a frame rule has four words: " + line);
      }
      String verdict = words[0].toUpperCase(Locale.ROOT);
      String text = words[3].equals(EMPTY) ? "" : words[3];
      Match match = new Match(isName(words[1]), Comparison.of(words[2]), text);
      if (verdict.equals(NOISE)) {
        noise.add(match);
      } else if (verdict.equals(PLUMBING)) {
        plumbing.add(match);
      } else if (isKind(verdict)) {
        kinds.add(new Rule<>(FrameKind.valueOf(verdict), match));
      } else {
        categories.add(new Rule<>(Category.valueOf(verdict), match));
      }
    }
    return new FrameRules(noise, plumbing, kinds, categories);
  }

  /** Whose code a frame is; what no rule knows is the user's. */
  public FrameKind kind(Frame frame) {
    return decide(kinds, frame, FrameKind.USER);
  }

  /** Whether a frame is only of how the stack was captured, or of how its thread began. */
  boolean isNoise(Frame frame) {
    return noise.stream().anyMatch(match -> match.matches(frame));
  }

  /** Whether a frame only hands the request on: it is under nearly every stack. */
  boolean isPlumbing(Frame frame) {
    return plumbing.stream().anyMatch(match -> match.matches(frame));
  }

  /** What a frame alone says about the memory allocated under it; a heuristic. */
  Category category(Frame frame) {
    return decide(categories, frame, Category.UNKNOWN);
  }

  private static <T> T decide(List<Rule<T>> rules, Frame frame, T otherwise) {
    for (Rule<T> rule : rules) {
      if (rule.match.matches(frame)) {
        return rule.verdict;
      }
    }
    return otherwise;
  }

  /** The rules applied to every frame of a table, ready to ask about its stacks. */
  public StackClasses classify(StackTable stacks) {
    return new StackClasses(this, stacks);
  }

  private static boolean isName(String word) {
    return switch (word) {
      case "name" -> true;
      case "file" -> false;
      default -> throw new IllegalArgumentException("a rule looks at name or file, not " + word);
    };
  }

  private static boolean isKind(String verdict) {
    for (FrameKind kind : FrameKind.values()) {
      if (kind.name().equals(verdict)) {
        return true;
      }
    }
    return false;
  }

  private static FrameRules read(String resource) {
    try (InputStream in = FrameRules.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException(resource + " is missing beside " + FrameRules.class);
      }
      return of(
          new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)).lines().toList());
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** What memory is probably used for, guessed from its stack. */
  public enum Category {
    PARAMETERS,
    GRADIENTS,
    OPTIMIZER,
    ACTIVATIONS,
    COMMUNICATION,
    WORKSPACE,
    UNKNOWN
  }

  private record Rule<T>(T verdict, Match match) {}

  private record Match(boolean looksAtName, Comparison comparison, String text) {
    boolean matches(Frame frame) {
      String subject = looksAtName ? frame.name() : frame.file().replace('\\', '/');
      return switch (comparison) {
        case IS -> subject.equals(text);
        case STARTS -> subject.startsWith(text);
        case ENDS -> subject.endsWith(text);
        case CONTAINS -> subject.contains(text);
      };
    }
  }

  /** How a rule's text must stand in the frame's. */
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
