package dev.vramscope.explain.producer;

import dev.vramscope.analysis.Lazy;
import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LogMessage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a log says around its messages. Read when a conclusion needs it. */
public final class LogContext {
  private static final Pattern CAPTURE =
      Pattern.compile(
          "(?i)captur(?:e|ing) (?:a |the )?cuda ?graphs?|captur(?:e|ing) graphs?\\b"
              + "|during (?:graph |cuda graph )?capture|in capture_model|capture_begin");

  /** Where a capture is said to be over. */
  private static final Pattern CAPTURED =
      Pattern.compile(
          "(?i)captur[a-z]{0,4}(?: cuda)?(?: graphs?)?"
              + " (?:finished|end\\b|ended|done|complete|success)|finished captur|captur[^\\n"
              + "]{0,80}100%|startup complete|server is ready");

  /** Where expandable segments are said to be on; not in PyTorch's own advice to try them. */
  private static final Pattern EXPANDABLE =
      Pattern.compile(
          "(?i)expandable[_ ]segments?(?: (?:are|is|were|was|has been|have been))?(?: already)?"
              + " (?:already |switched on|turned on|enabled|active|on\\b|in use)"
              + "|(?:export|\\bset|\\benv|setx|environ\\[[\"'])\\s{0,3}"
              + "PYTORCH_(?:CUDA_|HIP_)?ALLOC_CONF[\"'\\]\\s=:]{1,6}[^\\s]{0,60}expandable_segments:true"
              + "|PYTORCH_(?:CUDA_|HIP_)?ALLOC_CONF=[^\\s]{0,60}expandable_segments:true[^\\s]{0,60}"
              + " (?:python|torchrun|accelerate|srun|deepspeed|bash|vllm|uv|poetry)\\b");

  /** PyTorch's warning. */
  private static final Pattern UNSUPPORTED =
      Pattern.compile("expandable_segments\\s{1,80}(?:is\\s{1,80})?not\\s{1,80}supported");

  private final String text;
  private final Facts numbers;
  private final Lazy<Tracebacks> tracebacks;
  private final Lazy<PrintedNumbers> printed;

  /** Each pattern is searched once, however many messages ask for it. */
  private final Map<Pattern, Boolean> known = new HashMap<>();

  /**
   * The context of the messages of a text.
   *
   * @param numbers messages that say what its programs have, need and have set
   */
  public LogContext(String text, List<LogMessage> numbers) {
    this.text = text;
    this.numbers = new Facts(numbers);
    tracebacks = new Lazy<>(() -> Tracebacks.of(text));
    printed = new Lazy<>(() -> PrintedNumbers.of(text));
  }

  /** The whole text. */
  public String text() {
    return text;
  }

  /** What the programs of the log say that they have, need and have set. */
  public Facts numbers() {
    return numbers;
  }

  /**
   * Whether a CUDA graph was being captured when a message was written: by its traceback, or else
   * by what the log says above it.
   */
  public boolean isCapturing(LogMessage message) {
    if (!has(CAPTURE)) {
      return false;
    }
    Optional<FailingCode> code = codeOf(message);
    if (code.isPresent() && code.get().isWhole()) {
      return code.get().isCapture();
    }
    String above = above(message.line());
    int captured = -1;
    for (Matcher capture = CAPTURE.matcher(above); capture.find(); ) {
      captured = capture.start();
    }
    return captured < 0 || !CAPTURED.matcher(above).region(captured, above.length()).find();
  }

  private String above(int line) {
    int end = 0;
    for (int at = 1; at < line; at++) {
      int next = text.indexOf('\n', end);
      if (next < 0) {
        return text;
      }
      end = next + 1;
    }
    return text.substring(0, end);
  }

  /** The program that makes images, if the log is of one. */
  public Optional<ImageProgram> imageProgram() {
    return ImageProgram.of(this);
  }

  /** Whether the text says that the platform has no expandable segments. */
  public boolean isExpandableUnsupported() {
    return has(UNSUPPORTED);
  }

  /** Whether the text says that expandable segments are on. */
  public boolean isExpandable() {
    return has(EXPANDABLE);
  }

  /** The program that serves a model, if the log is of one. */
  public Optional<ServingProgram> serving() {
    return ServingProgram.of(this);
  }

  /** Whether a pattern, which is a constant, is somewhere in the text. */
  public boolean has(Pattern pattern) {
    return known.computeIfAbsent(pattern, each -> each.matcher(text).find());
  }

  /** Whether a number stands in the text, but not in {@code Process NUMBER}. */
  public boolean hasElsewhere(String number) {
    for (int at = text.indexOf(number); at >= 0; at = text.indexOf(number, at + number.length())) {
      boolean isWhole =
          !isPartOfNumber(at - 1)
              && !isPartOfNumber(at + number.length())
              && !text.startsWith("Process ", Math.max(0, at - 8))
              && !isInTable(at);
      if (isWhole) {
        return true;
      }
    }
    return false;
  }

  /** Tables of nvidia-smi list all processes. */
  private boolean isInTable(int at) {
    int start = text.lastIndexOf('\n', at) + 1;
    int end = text.indexOf('\n', at);
    String line = text.substring(start, end < 0 ? text.length() : end);
    return line.indexOf('|') >= 0 || line.contains("MiB");
  }

  private boolean isPartOfNumber(int at) {
    if (at < 0 || at >= text.length()) {
      return false;
    }
    char each = text.charAt(at);
    return Character.isLetterOrDigit(each) || each == '.' || each == ':' || each == '-';
  }

  /**
   * The code that led to a message, if its traceback stands above it, or above the same message
   * further below.
   */
  public Optional<FailingCode> codeOf(LogMessage message) {
    return tracebacks
        .get()
        .before(message.line())
        .or(
            () ->
                message
                    .written(FieldName.REQUESTED)
                    .flatMap(size -> tracebacks.get().beforeWords(message.line(), size)));
  }

  /** A number of the memory that the log has again and again, and that grows. */
  public Optional<GrowingNumber> growth() {
    return printed.get().growth();
  }

  /**
   * What a program prints about its memory, in words of its own, above a failure.
   *
   * @param messages of the failure: what they say is not repeated
   */
  public Optional<LogMessage> printedAbove(int line, List<LogMessage> messages) {
    return printed.get().above(line, messages);
  }
}
