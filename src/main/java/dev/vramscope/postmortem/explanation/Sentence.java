package dev.vramscope.postmortem.explanation;

import dev.vramscope.model.ByteText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Text for people, one sentence or a few, whose numbers and names know what they refer to. Pages
 * show the references as links; JSON and tests use the plain {@link #text}.
 *
 * @param parts in reading order; their texts joined are the sentence
 */
public record Sentence(List<Part> parts) {
  /** No text. */
  public static final Sentence EMPTY = new Sentence(List.of());

  public Sentence {
    parts = List.copyOf(parts);
  }

  /** A piece of a sentence. */
  public sealed interface Part {
    /** As plain text. */
    String text();
  }

  /** Words without a reference. */
  public record Words(String text) implements Part {}

  /**
   * A term with a definition.
   *
   * @param id of the term in the glossary of the pages
   * @param text as the sentence writes it
   */
  public record Term(String id, String text) implements Part {}

  /** A number or a name that refers to something. */
  public record Link(String text, Target target) implements Part {}

  /** A size in binary units, with what it refers to. */
  public record Bytes(long bytes, Optional<Target> target) implements Part {
    @Override
    public String text() {
      return ByteText.of(bytes);
    }
  }

  /** A setting or a piece of code, with what it refers to. */
  public record Code(String text, Optional<Target> target) implements Part {}

  /** A builder with these words. */
  static Builder of(String words) {
    return new Builder().words(words);
  }

  /** The sentence without references. */
  public String text() {
    return parts.stream().map(Part::text).collect(Collectors.joining());
  }

  public boolean isEmpty() {
    return parts.isEmpty();
  }

  /** This sentence, a space and another one. */
  Sentence and(Sentence next) {
    if (isEmpty() || next.isEmpty()) {
      return isEmpty() ? next : this;
    }
    return new Builder().sentence(this).words(" ").sentence(next).build();
  }

  /** Appends parts. */
  static final class Builder {
    private final List<Part> parts = new ArrayList<>();

    Builder words(String words) {
      if (!words.isEmpty()) {
        parts.add(new Words(words));
      }
      return this;
    }

    Builder term(String id, String text) {
      parts.add(new Term(id, text));
      return this;
    }

    Builder link(String text, Target target) {
      parts.add(new Link(text, target));
      return this;
    }

    Builder bytes(long bytes) {
      parts.add(new Bytes(bytes, Optional.empty()));
      return this;
    }

    Builder bytes(long bytes, Target target) {
      parts.add(new Bytes(bytes, Optional.of(target)));
      return this;
    }

    Builder bytes(long bytes, Target.Section.Name section) {
      return bytes(bytes, new Target.Section(section));
    }

    Builder code(String code) {
      parts.add(new Code(code, Optional.empty()));
      return this;
    }

    Builder code(String code, Target target) {
      parts.add(new Code(code, Optional.of(target)));
      return this;
    }

    /** "1 block", "2,000 blocks". */
    Builder counted(long count, String singular) {
      return words(Sentence.counted(count, singular));
    }

    Builder sentence(Sentence other) {
      parts.addAll(other.parts);
      return this;
    }

    Sentence build() {
      return new Sentence(parts);
    }
  }

  /** "1 block", "2,000 blocks". */
  static String counted(long count, String singular) {
    return String.format(Locale.ROOT, "%,d %s%s", count, singular, count == 1 ? "" : "s");
  }
}
