package dev.vramscope.web.explain;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.vramscope.evidence.Quantity;
import dev.vramscope.explain.LogExplanation;
import dev.vramscope.explain.message.Field;
import dev.vramscope.explain.message.LeftOut;
import dev.vramscope.explain.producer.Advice;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.producer.Share;
import dev.vramscope.explain.producer.Statement;
import dev.vramscope.store.listing.StoredSnapshot;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a text says, as pages and JSON show it.
 *
 * @param summary in a sentence
 * @param findings one for each failure, whose messages are put together, and one for each other
 *     message; failures first
 * @param leftOut how many messages are in none of the findings: only so many different ones are
 *     listed
 * @param id of the stored log; null if it is not kept
 * @param url of its page
 * @param notStored why it is not kept, if it was to be
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record LogExplanationView(
    String summary,
    List<Message> findings,
    LeftOut leftOut,
    @Nullable String id,
    @Nullable String url,
    @Nullable String notStored) {

  /**
   * One failure or report.
   *
   * @param kind that of its first message, such as torch or xla-oom
   * @param what the kinds of its messages in words
   * @param isFailure whether memory was refused, a process was ended for lack of it, or a check
   *     about it stopped a program; otherwise it is a warning, a notice or a report
   * @param memory which memory it is about: device, host, pinned-host, on-chip or none
   * @param line of its first occurrence, from 1
   * @param times how often the text has it
   * @param headline what happened
   * @param statements what follows, with its certainty
   * @param fields the fields of all its messages, as they are written
   * @param totalBytes the size that the shares are parts of, or null
   * @param shares who holds the memory, as far as the text tells
   * @param remedies what may help; the text proves none of them
   * @param next what to collect, so that more can be said
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Message(
      String kind,
      String what,
      boolean isFailure,
      String memory,
      int line,
      int times,
      String headline,
      List<Claim> statements,
      List<Written> fields,
      @Nullable Long totalBytes,
      List<Part> shares,
      List<Advice> remedies,
      List<Advice> next) {}

  /** A statement: certain, likely, or unknown. */
  record Claim(String certainty, String text) {}

  /**
   * A field.
   *
   * @param of the process or buffer that the value is of; null if the name says it
   * @param written the value as the text has it
   * @param bytes null if it is not a size, or more than a device has
   * @param errorBytes the most by which the original number may differ, because it is rounded
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Written(
      String name,
      @JsonIgnore String label,
      @Nullable String of,
      String written,
      @Nullable Long bytes,
      @Nullable Long errorBytes) {}

  /**
   * A part of the memory.
   *
   * @param kind allocated, unallocated, private, temporary, outside, free or unknown
   * @param startPercent its left edge in the bar
   */
  @Schema(name = "ExplanationPart")
  record Part(
      String kind,
      String label,
      long bytes,
      long errorBytes,
      @JsonIgnore double startPercent,
      @JsonIgnore double percent) {

    /** The CSS class that colours it. */
    @JsonIgnore
    public String css() {
      return switch (kind) {
        case "allocated" -> "item-live";
        case "unallocated" -> "item-unreleasable";
        case "private" -> "item-private";
        case "temporary" -> "item-pending";
        case "outside" -> "item-outside";
        case "unknown" -> "item-unknown";
        default -> "item-free";
      };
    }

    /** The pattern that tells it from its neighbours without colour; empty for none. */
    @JsonIgnore
    public String pattern() {
      return switch (kind) {
        case "unallocated" -> "stripes";
        case "private", "temporary" -> "cross";
        case "outside" -> "dots";
        case "unknown" -> "unknown";
        default -> "";
      };
    }
  }

  /** An explanation of a text that is not kept. */
  static LogExplanationView of(LogExplanation explanation) {
    return new LogExplanationView(
        explanation.summary(),
        explanation.conclusions().stream().map(LogExplanationView::message).toList(),
        explanation.leftOut(),
        /* id= */ null,
        /* url= */ null,
        /* notStored= */ null);
  }

  /**
   * The explanation of a log that was to be kept.
   *
   * @param service the address of this service
   */
  static LogExplanationView of(SubmittedLog log, String service) {
    LogExplanationView view = of(log.explanation());
    String id = log.stored().map(StoredSnapshot::id).orElse(null);
    return new LogExplanationView(
        view.summary,
        view.findings,
        view.leftOut,
        id,
        log.url(service).orElse(null),
        log.notStored().orElse(null));
  }

  private static Message message(Conclusion conclusion) {
    return new Message(
        conclusion.message().kind().id(),
        conclusion.what(),
        conclusion.isFailure(),
        conclusion.message().kind().memory().id(),
        conclusion.message().line(),
        conclusion.times(),
        conclusion.headline(),
        conclusion.statements().stream().map(LogExplanationView::claim).toList(),
        conclusion.messages().stream()
            .flatMap(each -> each.fields().stream())
            .map(LogExplanationView::written)
            .toList(),
        conclusion.total().map(Quantity::bytes).orElse(null),
        parts(conclusion),
        conclusion.remedies(),
        conclusion.next());
  }

  private static Claim claim(Statement statement) {
    return new Claim(statement.certaintyLabel(), statement.text());
  }

  private static Written written(Field field) {
    return new Written(
        field.name().id(),
        field.name().label(),
        field.of().isEmpty() ? null : field.of(),
        field.written(),
        field.quantity().map(Quantity::bytes).orElse(null),
        field.quantity().map(Quantity::errorBytes).orElse(null));
  }

  private static List<Part> parts(Conclusion conclusion) {
    long sum = conclusion.shares().stream().mapToLong(share -> share.quantity().bytes()).sum();
    double whole = Math.max(sum, conclusion.total().map(Quantity::bytes).orElse(0L));
    List<Part> parts = new ArrayList<>();
    double start = 0;
    for (Share share : conclusion.shares()) {
      double percent = 100 * share.quantity().bytes() / whole;
      parts.add(
          new Part(
              share.kind().id(),
              share.label(),
              share.quantity().bytes(),
              share.quantity().errorBytes(),
              start,
              percent));
      start += percent;
    }
    return parts;
  }
}
