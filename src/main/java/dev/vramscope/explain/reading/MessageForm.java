package dev.vramscope.explain.reading;

import dev.vramscope.evidence.Quantity;
import dev.vramscope.explain.message.Field;
import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.MessageKind;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The form of one kind of message: how it begins, and which patterns have its fields. The patterns
 * are bounded, so that a text is read in time proportional to its length.
 */
public final class MessageForm {
  /** A size, for programs that always write a unit. */
  public static final String SIZE = Quantity.PATTERN;

  /** A size, for programs that write bytes without a unit, or have done so. */
  public static final String BYTES = Quantity.BARE_PATTERN;

  /** Where the fields of a message are written. */
  sealed interface Rule {}

  /** The first match of a pattern, whose first group is the text. */
  record Words(FieldName name, FieldPattern pattern) implements Rule {}

  /** The first match of a pattern, whose groups are number and unit of each alternative. */
  record Bytes(FieldName name, FieldPattern pattern) implements Rule {}

  /** As {@link Bytes}, for a message without the field so far. */
  record Otherwise(FieldName name, FieldPattern pattern) implements Rule {}

  /** All matches of a pattern, whose groups are what it is of, number and unit. */
  record Each(FieldName name, FieldPattern pattern) implements Rule {}

  /** The number of matches. */
  record Count(FieldName name, FieldPattern pattern) implements Rule {}

  /** The first match of a pattern, whose one group is a number; its unit stands elsewhere. */
  record InUnit(FieldName name, FieldPattern pattern, String unit) implements Rule {}

  /** The first match of a pattern, whose one group is a hexadecimal number of bytes. */
  record Hexadecimal(FieldName name, FieldPattern pattern) implements Rule {}

  /** The sums of the lists of a BFC dump. */
  record Lists() implements Rule {}

  /** A list of buffers, each with its size and what follows it. */
  record Buffers(FieldPattern pattern) implements Rule {}

  private final MessageKind kind;
  private final Pattern start;

  /** Every start and every part has one of these, not far from its first character. */
  private final List<String> anchors = new ArrayList<>();

  private final List<Rule> rules = new ArrayList<>();
  private Pattern part = Pattern.compile("(?!)");
  private boolean isTruncated;

  private MessageForm(MessageKind kind, String start, String... anchors) {
    this.kind = kind;
    this.start = Pattern.compile(start);
    this.anchors.addAll(List.of(anchors));
  }

  /**
   * A form.
   *
   * @param start how a message begins
   * @param anchors every start has one of them, at most {@link Candidates#REACH} characters from
   *     its own first
   */
  public static MessageForm of(MessageKind kind, String start, String... anchors) {
    return new MessageForm(kind, start, anchors);
  }

  /**
   * Also recognizes a part of a message, alone or after the start: an excerpt of a long report is
   * one message with the rest of it.
   */
  public MessageForm part(String pattern, String... anchorsOfPart) {
    part = Pattern.compile(pattern);
    anchors.addAll(List.of(anchorsOfPart));
    return this;
  }

  /** The program writes sizes rounded down, as XLA does; otherwise they are rounded to nearest. */
  public MessageForm truncated() {
    isTruncated = true;
    return this;
  }

  /** The first match of a pattern, which has the text in the one group of each alternative. */
  public MessageForm words(FieldName name, String pattern) {
    rules.add(new Words(name, new FieldPattern(pattern)));
    return this;
  }

  /**
   * The first match of a pattern that contains {@link #SIZE} or {@link #BYTES} once in each
   * alternative, and no other group.
   */
  public MessageForm bytes(FieldName name, String pattern) {
    rules.add(new Bytes(name, new FieldPattern(pattern)));
    return this;
  }

  /** As {@link #bytes}, for a message without the field so far. */
  public MessageForm otherwise(FieldName name, String pattern) {
    rules.add(new Otherwise(name, new FieldPattern(pattern)));
    return this;
  }

  /** All matches of a pattern, whose groups are what the size is of, and {@link #SIZE}. */
  public MessageForm each(FieldName name, String pattern) {
    rules.add(new Each(name, new FieldPattern(pattern)));
    return this;
  }

  /** The number of matches. */
  public MessageForm count(FieldName name, String pattern) {
    rules.add(new Count(name, new FieldPattern(pattern)));
    return this;
  }

  /** As {@link #bytes}, for a number in the one group whose unit is in the head of a table. */
  public MessageForm inUnit(FieldName name, String pattern, String unit) {
    rules.add(new InUnit(name, new FieldPattern(pattern), unit));
    return this;
  }

  /** As {@link #bytes}, for hexadecimal digits in the one group. */
  public MessageForm hexadecimal(FieldName name, String pattern) {
    rules.add(new Hexadecimal(name, new FieldPattern(pattern)));
    return this;
  }

  /** The sums of the lists of a BFC dump. */
  public MessageForm lists() {
    rules.add(new Lists());
    return this;
  }

  /** A list of buffers, each with its size and what follows it. */
  public MessageForm buffers(String pattern) {
    rules.add(new Buffers(new FieldPattern(pattern)));
    return this;
  }

  /** What a message of this form is. */
  public MessageKind kind() {
    return kind;
  }

  /** Of which every message of this form has one. */
  public List<String> anchors() {
    return anchors;
  }

  Pattern start() {
    return start;
  }

  Pattern part() {
    return part;
  }

  /** The fields of a message in the order of the text; its end is exclusive. */
  List<Field> fields(String text, int from, int to) {
    MessageFields fields = new MessageFields(text, from, to, isTruncated);
    for (Rule rule : rules) {
      switch (rule) {
        case Words(FieldName name, FieldPattern pattern) -> fields.words(name, pattern);
        case Bytes(FieldName name, FieldPattern pattern) -> fields.bytes(name, pattern);
        case Otherwise(FieldName name, FieldPattern pattern) -> fields.otherwise(name, pattern);
        case Each(FieldName name, FieldPattern pattern) -> fields.each(name, pattern);
        case Count(FieldName name, FieldPattern pattern) -> fields.count(name, pattern);
        case InUnit(FieldName name, FieldPattern pattern, String unit) ->
            fields.inUnit(name, pattern, unit);
        case Hexadecimal(FieldName name, FieldPattern pattern) -> fields.hexadecimal(name, pattern);
        case Lists() -> fields.lists();
        case Buffers(FieldPattern pattern) -> fields.buffers(pattern);
      }
    }
    return fields.all();
  }
}
