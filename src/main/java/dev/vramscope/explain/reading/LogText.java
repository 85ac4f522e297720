package dev.vramscope.explain.reading;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Divides a text into the lines of each process that wrote into it. */
final class LogText {
  /** Loggers put a few marks before a line, never many. */
  private static final int MAX_MARKS = 8;

  /** More processes than a node has: the rest is read as one. */
  private static final int MAX_STREAMS = 1000;

  /** Where a logger of terminals writes the place in the code: at the end of the line. */
  private static final Pattern PLACE_AT_END =
      Pattern.compile("\\s[A-Za-z0-9_/.-]{1,80}\\.py:[0-9]{1,6}\\s*$");

  /** Who wrote a line: {@code [rank0]:}, or what may be {@code (VllmWorker rank=3 pid=1090)}. */
  private static final Pattern PROCESS =
      Pattern.compile(
          "\\[(?:rank|default)[ _-]?[0-9]{1,5}\\]:?|(\\([A-Za-z][^()]{0,140}+\\))"
              + "|[0-9]{1,4}: (?=\\[|Traceback|File |torch|RuntimeError)");

  /** What a name in parentheses has if it is that of a process. */
  private static final Pattern NUMBER = Pattern.compile("\\bpid=[0-9]");

  /** How a line begins that continues none: with the name of a program, or a time. */
  private static final Pattern OWN_LINE =
      Pattern.compile("[A-Za-z][A-Za-z0-9_.\\[\\]()/-]{1,80}:\\s|\\[?[0-9]{2,4}[-/:][0-9]{2}");

  /** With what a mark may begin; most lines begin with something else. */
  private static final String FIRST = ">#|*`\"'[(DIWECFsJMASON";

  private static final String LEVEL = "(?:DEBUG|INFO|WARN|WARNING|ERROR|CRITICAL|FATAL)";

  private static final String TIME =
      "[0-9]{2}:[0-9]{2}:[0-9]{2}(?:[.,][0-9]{1,9})?(?:Z|[+-][0-9]{2}:?[0-9]{2})?";

  /** A date and a time, or one of them. */
  private static final String MOMENT =
      "(?:[0-9]{4}[-/][0-9]{2}[-/][0-9]{2}[ T]|[0-9]{2}-[0-9]{2} )?" + TIME;

  /** Quotes, times, levels and places in the code. A level alone may be a word of the message. */
  private static final Pattern MARK =
      Pattern.compile(
          String.join(
              "|",
              "[>#|*`\"']+(?=\\s|[A-Z\\[(])",
              "\\[?" + MOMENT + "\\]?:?(?: {1,4}\\[?" + LEVEL + "\\]?:?(?=\\s))?",
              "\\[" + LEVEL + "\\]:?",
              LEVEL + ":(?=\\s)",
              LEVEL + "(?= {1,4}" + MOMENT + ")",
              "[IWEF] [^\\s:]{1,300}:[0-9]{1,6}\\]",
              "[IWEF][0-9]{4} [0-9:.]{8,18} {1,9}[0-9]{1,10} [^\\s:]{1,300}:[0-9]{1,6}\\]",
              "std(?:out|err) [FP](?=\\s)",
              "\\[[A-Za-z_][A-Za-z0-9_./-]{0,80}:[0-9]{1,6}\\]",
              "\\[ {0,6}[0-9]{1,7}\\.[0-9]{6}\\]",
              "[A-Z][a-z]{2} [ 0-9][0-9] "
                  + TIME
                  + " [^\\s:]{1,80} [^\\s:\\[]{1,60}(?:\\[[0-9]{1,9}\\])?:(?=\\s)"));

  private final Map<String, LogStream> streams = new LinkedHashMap<>();
  private final Optional<LinePrefix> prefix;

  /** Who wrote the line before; one without a writer continues it. */
  private String last = "";

  /** The same within the lines of each host or container. */
  private final Map<String, String> lastOfPrefix = new HashMap<>();

  /** That of the last writer. */
  private @Nullable LogStream stream;

  private LogText(String text) {
    prefix = LinePrefix.of(text);
  }

  static Collection<LogStream> streams(String text) {
    LogText log = new LogText(text);
    int number = 1;
    int start = 0;
    while (start <= text.length()) {
      int end = text.indexOf('\n', start);
      end = end < 0 ? text.length() : end;
      if (start < end) {
        log.addPrefixed(plain(text.substring(start, end)), number);
      }
      number++;
      start = end + 1;
    }
    return log.streams.values();
  }

  /** The line without colours, marks of emphasis, entities, and a place in the code at its end. */
  private static String plain(String line) {
    if (!mayNeedChanges(line)) {
      return line;
    }
    String plain = PlainText.of(line);
    if (plain.contains(".py:")) {
      plain = PLACE_AT_END.matcher(plain).replaceAll("");
    }
    return plain;
  }

  /** Whether a line has one of the characters with which something to change begins. */
  private static boolean mayNeedChanges(String line) {
    for (int i = 0; i < line.length(); i++) {
      char each = line.charAt(i);
      if (each == '*'
          || each == '&'
          || each == '\u001b'
          || (each == '.' && i + 4 < line.length())) {
        return true;
      }
    }
    return false;
  }

  private void addPrefixed(String line, int number) {
    Optional<LinePrefix.Named> named = prefix.flatMap(each -> each.name(line));
    if (named.isEmpty()) {
      if (prefix.isPresent() && OWN_LINE.matcher(line).lookingAt()) {
        last = "";
        stream = null;
      }
      add(line, "", number);
      return;
    }
    String host = named.get().name();
    last = lastOfPrefix.getOrDefault(host, host);
    stream = null;
    add(named.get().line(), host + " ", number);
    lastOfPrefix.put(host, last);
  }

  /** Adds a line, whose writer has a name within that of a host or container. */
  private void add(String line, String host, int number) {
    int start = 0;
    boolean isWritten = false;
    Matcher mark = MARK.matcher(line);
    Matcher writer = PROCESS.matcher(line);
    for (int marks = 0; marks < MAX_MARKS; marks++) {
      while (start < line.length() && Character.isWhitespace(line.charAt(start))) {
        start++;
      }
      if (start == line.length() || !mayBeMark(line.charAt(start))) {
        break;
      }
      if (isProcess(writer.region(start, line.length()))) {
        // The outermost mark says who wrote the line; those inside it are of its own loggers.
        last = isWritten ? last : host + writer.group();
        isWritten = true;
        start = writer.end();
      } else if (mark.region(start, line.length()).lookingAt()) {
        start = mark.end();
      } else {
        break;
      }
    }
    if (stream == null || isWritten) {
      String streamName = streams.size() < MAX_STREAMS || streams.containsKey(last) ? last : "";
      stream = streams.computeIfAbsent(streamName, LogStream::new);
    }
    stream.add(line.substring(start), number);
  }

  private static boolean mayBeMark(char first) {
    return (first >= '0' && first <= '9') || FIRST.indexOf(first) >= 0;
  }

  private static boolean isProcess(Matcher writer) {
    return writer.lookingAt()
        && (writer.group(1) == null || NUMBER.matcher(writer.group(1)).find());
  }
}
