package dev.vramscope.explain;

import dev.vramscope.evidence.Quantity;
import dev.vramscope.explain.message.Amounts;
import dev.vramscope.explain.message.Field;
import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.message.Memory;
import dev.vramscope.explain.message.MessageKind;
import dev.vramscope.explain.producer.CollectionAdvice;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.producer.LogContext;
import dev.vramscope.explain.producer.MessageProducer;
import dev.vramscope.explain.reading.MessageForm;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A message about a lack of memory in a wording that no producer here has. Only a text without any
 * other failure is read for it: the line is quoted, with the sizes in it.
 */
final class UnknownWording implements MessageProducer {
  private static final MessageKind FAILURE =
      MessageKind.failure(
          "unknown-wording",
          Memory.DEVICE,
          "A program",
          "a message about a lack of memory in a wording that is not known");

  private static final MessageKind MENTION =
      MessageKind.notice(
          "mention", Memory.NONE, "A program", "a line that speaks of a lack of memory");

  /** A line that reports, and does not only talk. */
  private static final Pattern REPORT =
      Pattern.compile(
          "(?i)\\b(?:error|failed|failure|fatal|exception|critical|abort(?:ed|ing)?|killed|panic|refused|unable"
              + " to|could not|cannot)\\b|Error\\b|[a-z]: out of memory");

  /** Prose, code, and advice. */
  private static final Pattern TALK =
      Pattern.compile(
          "(?i)\\b(?:if|to avoid|avoids?|happens?|tips?|hint|when|should|how|why|catch|except|raise"
              + "|would|may|might|reduces?|prevents?|handle[sd]?|enum|define)\\b|str\\(e\\)|//|==|(?:memory|\\bOOMs?)(?:"
              + " (?:errors?|retries|events?|count|kills?))?\\s?[:=]\\s?0\\b");

  private static final Pattern PHRASE =
      Pattern.compile(
          "(?i)显存不足|out[- ]of[- ](?:\\w{1,12} )?memory|\\bOOM\\b|not enough (?:\\w{1,12}"
              + " ){0,2}(?:memory|VRAM\\b)|insufficient (?:\\w{1,12} ){0,2}memory|memory (?:is"
              + " )?exhausted|(?:failed|unable|cannot|can't|could not) to?"
              + " ?alloc(?:ate)?\\b|alloc(?:ation)? (?:of .{1,60}"
              + " )?failed|OutOfMemory|std::bad_alloc|requires more (?:\\w{1,12} ){0,2}memory"
              + "|(?:memory|alloc\\w*|arena|pool|buffer|slab|VRAM|[GM]i?B)\\b.{0,80}\\b(?:refused|denied"
              + "|exhausted)\\b");

  /** Every {@link #PHRASE} has one of these. */
  static final Set<String> WORDS =
      Set.of(
          "memory",
          "Memory",
          "MEMORY",
          "alloc",
          "Alloc",
          "ALLOC",
          "oom",
          "OOM",
          "refused",
          "denied",
          "exhausted",
          "VRAM",
          "显存");

  /** The words that make a line one about the host's memory. */
  private static final Pattern HOST =
      Pattern.compile("(?i)system memory|host memory|\\bRAM\\b|heap|std::bad_alloc|\\bCPU\\b");

  private static final Pattern SIZE =
      Pattern.compile(
          "(?<![A-Za-z0-9.])(?:([A-Za-z_][A-Za-z_ ]{0,30}?)[ =:(]{1,3})?" + Quantity.PATTERN);

  private static final int MAX_LINE = 2000;

  /** Lines after the message that may tell who holds the memory. */
  private static final int LINES_AFTER = 12;

  private static final int MAX_QUOTES = 8;

  /** Sizes of other lines that are listed. */
  private static final int MAX_OTHERS = 40;

  /** Sizes of one line. */
  private static final int MAX_SIZES = 12;

  private static final FieldName SIZE_NAME = new FieldName("size", "A size in the text");
  private static final FieldName BESIDE = new FieldName("beside", "A line below it");
  private static final FieldName QUOTE = new FieldName("quote", "The line");

  @Override
  public String name() {
    return "Other wordings, quoted";
  }

  @Override
  public List<MessageForm> forms() {
    return List.of();
  }

  @Override
  public List<MessageKind> otherKinds() {
    return List.of(FAILURE, MENTION);
  }

  @Override
  public List<String> examples() {
    return List.of(
        "ds4: CUDA model range alloc failed for token_embd (1184.00 MiB): out of memory");
  }

  /** Whether a line of a text speaks of a lack of memory; only those with such words are read. */
  static boolean isIn(String text) {
    Matcher phrase = PHRASE.matcher(text);
    for (String word : WORDS) {
      int at = text.indexOf(word);
      while (at >= 0) {
        int start = text.lastIndexOf('\n', at) + 1;
        int end = text.indexOf('\n', at);
        end = end < 0 ? text.length() : end;
        if (end - start <= MAX_LINE && phrase.region(start, end).find()) {
          return true;
        }
        at = text.indexOf(word, end);
      }
    }
    return false;
  }

  /** The last line with such words; of several, one with a size comes first. */
  static Optional<LogMessage> find(String text) {
    String lowerCase = text.toLowerCase(Locale.ROOT);
    boolean mayHavePhrase = WORDS.stream().anyMatch(lowerCase::contains);
    if (!mayHavePhrase || !PHRASE.matcher(text).find()) {
      return Optional.empty(); // Most logs: their lines need not be read one by one.
    }
    LogMessage found = null;
    List<Field> others = new ArrayList<>();
    List<Field> after = new ArrayList<>();
    int number = 0;
    for (String line : (Iterable<String>) text.lines()::iterator) {
      number++;
      if (line.length() > MAX_LINE) {
        continue;
      }
      List<Field> sizes = sizes(line);
      if (!PHRASE.matcher(line).find()) {
        if (others.size() < MAX_OTHERS) {
          others.addAll(sizes);
        }
        if (found != null
            && number - found.line() <= LINES_AFTER
            && !sizes.isEmpty()
            && after.size() < MAX_QUOTES) {
          after.add(new Field(BESIDE, "", words(line), Optional.empty()));
        }
        continue;
      }
      boolean isReport = REPORT.matcher(line).find() && !TALK.matcher(line).find();
      boolean isBetter =
          found == null
              || (isReport && found.kind() == MENTION)
              || (isReport && (found.fields().size() == 1 || !sizes.isEmpty()));
      if (isBetter) {
        List<Field> fields = new ArrayList<>();
        fields.add(new Field(QUOTE, "", words(line), Optional.empty()));
        // Of several sizes, the words that say which one is asked for are not known.
        if (sizes.size() == 1) {
          Field size = sizes.getFirst();
          fields.add(new Field(FieldName.REQUESTED, "", size.written(), size.quantity()));
        } else {
          fields.addAll(sizes);
        }
        after.clear();
        found = new LogMessage(isReport ? FAILURE : MENTION, number, 1, fields);
      }
    }
    if (found == null) {
      return Optional.empty();
    }
    if (found.kind() == MENTION) {
      Field quote = found.fields().getFirst();
      return Optional.of(new LogMessage(MENTION, found.line(), 1, List.of(quote)));
    }
    List<Field> all = new ArrayList<>(found.fields());
    all.addAll(after);
    all.addAll(others);
    return Optional.of(new LogMessage(FAILURE, found.line(), 1, all));
  }

  /** A line without its margin. */
  private static String words(String line) {
    return line.strip().replaceAll("^[A-Za-z0-9_-]{1,20}\\|", "").strip().replaceAll("\\s+", " ");
  }

  private static List<Field> sizes(String line) {
    List<Field> sizes = new ArrayList<>();
    Matcher size = SIZE.matcher(line);
    while (size.find() && sizes.size() < MAX_SIZES) {
      String label = size.group(1) == null ? "" : size.group(1).strip();
      Optional<Quantity> bytes = Quantity.of(size.group(2), size.group(3));
      sizes.add(new Field(SIZE_NAME, label, size.group(2) + " " + size.group(3).strip(), bytes));
    }
    return sizes;
  }

  @Override
  public Conclusion conclude(LogMessage message, List<LogMessage> failure, LogContext context) {
    String line = message.written(QUOTE).orElse("");
    if (message.kind() == MENTION) {
      return new Conclusion.Builder(message)
          .headline(
              "Line "
                  + message.line()
                  + " speaks of a lack of memory, but no message of a program is known in this"
                  + " text: “"
                  + line
                  + "”")
          .unknown("Whether anything failed.")
          .next(CollectionAdvice.WHOLE_TEXT)
          .build();
    }
    boolean isHost = HOST.matcher(line).find();
    String size =
        message.quantity(FieldName.REQUESTED).map(Amounts::text).map(" of "::concat).orElse("");
    Conclusion.Builder conclusion = new Conclusion.Builder(message);
    List<String> beside =
        message.fields().stream()
            .filter(field -> field.name() == BESIDE)
            .map(field -> "“" + field.written() + "”")
            .toList();
    if (!beside.isEmpty()) {
      conclusion.certain(
          "The lines below it have further sizes: " + String.join(", ", beside) + ".");
    }
    return conclusion
        .headline(
            "A request"
                + size
                + " failed for lack of memory, in a wording that is not known here: “"
                + line
                + "”")
        .likely(
            isHost
                ? "The words are about memory of the host, not of the GPU."
                : "The program had taken nearly all that it could get before.")
        .unknown(
            beside.isEmpty()
                ? "What holds the memory: only the line above says something about the failure."
                : "Whose limit it was: the GPU’s memory, or a budget of the program itself.")
        .remedy(
            "Let the program hold less at the same time: a smaller batch, shorter inputs, or"
                + " smaller pieces of the work at that line.",
            "")
        .next(CollectionAdvice.PROCESSES)
        .build();
  }
}
