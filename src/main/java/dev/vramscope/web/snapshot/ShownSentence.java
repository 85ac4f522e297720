package dev.vramscope.web.snapshot;

import dev.vramscope.postmortem.explanation.Sentence;
import dev.vramscope.postmortem.explanation.Target;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A sentence as the pages show it, with URLs.
 *
 * @param parts in reading order
 */
public record ShownSentence(List<Part> parts) {

  /**
   * A piece of the sentence.
   *
   * @param text as plain text
   * @param bytes of a size, or null
   * @param href where it comes from, or null
   * @param term the glossary's id of a term, or null
   * @param isCode whether it is code or a setting
   */
  public record Part(
      String text,
      @Nullable Long bytes,
      @Nullable String href,
      @Nullable String term,
      boolean isCode) {}

  static ShownSentence of(Sentence sentence, SnapshotLinks links, int failure) {
    return new ShownSentence(
        sentence.parts().stream().map(part -> part(part, links, failure)).toList());
  }

  private static Part part(Sentence.Part part, SnapshotLinks links, int failure) {
    return switch (part) {
      case Sentence.Words(String text) -> new Part(text, null, null, null, /* isCode= */ false);
      case Sentence.Term(String id, String text) ->
          new Part(text, null, null, id, /* isCode= */ false);
      case Sentence.Link(String text, Target target) ->
          new Part(text, null, links.target(target, failure), null, /* isCode= */ false);
      case Sentence.Bytes(long bytes, Optional<Target> target) ->
          new Part(part.text(), bytes, href(target, links, failure), null, /* isCode= */ false);
      case Sentence.Code(String text, Optional<Target> target) ->
          new Part(text, null, href(target, links, failure), null, /* isCode= */ true);
    };
  }

  private static @Nullable String href(Optional<Target> target, SnapshotLinks links, int failure) {
    return target.map(each -> links.target(each, failure)).orElse(null);
  }
}
