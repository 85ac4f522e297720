package dev.vramscope.explain.reading;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Divides a text into the lines of each process that wrote into it. */
final class LogText {
  /** Loggers put a few marks before a line, never many. */
  private static final int MAX_MARKS = 8;

  /** More processes than a node has: the rest is read as one. */
  private static final int MAX_STREAMS = 1000;

  private static final Pattern COLOURS = Pattern.compile("\u001b\\[[0-9;]{0,20}[A-Za-z]");

  /** Where a logger of terminals writes the place in the code: at the end of the line. */
  private static final Pattern PLACE_AT_END =
      Pattern.compile("\\s[A-Za-z0-9_/.-]{1,80}\\.py:[0-9]{1,6}\\s*$");

  /** What web pages write for characters; the ampersand is the last. */
  private static final Map<String, String> ENTITIES = entities();

  /** Who wrote a line: {@code [rank0]:}, or what may be {@code (VllmWorker rank=3 pid=1090)}. */
  private static final Pattern PROCESS =
      Pattern.compile(
          "\\[(?:rank|default)[ _-]?[0-9]{1,5}\\]:?|(\\([A-Za-z][^()]{0,140}+\\))"
              + "|[0-9]{1,4}: (?=\\[|Traceback|File |torch|RuntimeError)");

  /** What a name in parentheses has if it is that of a process. */
  private static final Pattern NUMBER = Pattern.compile("\\bpid=[0-9]");

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

  /** Who wrote the line before; one without a writer continues it. */
  private String last = "";

  /** That of the last writer. */
  private @Nullable LogStream stream;

  private LogText() {}

  static Collection<LogStream> streams(String text) {
    LogText log = new LogText();
    int number = 1;
    int start = 0;
    while (start <= text.length()) {
      int end = text.indexOf('\n', start);
      end = end < 0 ? text.length() : end;
      if (start < end) {
        log.add(plain(text.substring(start, end)), number);
      }
      number++;
      start = end + 1;
    }
    return log.streams.values();
  }

  private static Map<String, String> entities() {
    Map<String, String> entities = new LinkedHashMap<>();
    entities.put("&quot;", "\"");
    entities.put("&#34;", "\"");
    entities.put("&#39;", "'");
    entities.put("&apos;", "'");
    entities.put("&#x27;", "'");
    entities.put("&lt;", "<");
    entities.put("&gt;", ">");
    entities.put("&nbsp;", " ");
    entities.put("&amp;", "&");
    return entities;
  }

  /** The line without colours, marks of emphasis, entities, and a place in the code at its end. */
  private static String plain(String line) {
    if (!mayNeedChanges(line)) {
      return line;
    }
    String plain = line;
    if (plain.indexOf('\u001b') >= 0) {
      plain = COLOURS.matcher(plain).replaceAll("");
    }
    if (plain.contains("**")) {
      plain = plain.replace("**", "");
    }
    if (plain.indexOf('&') >= 0) {
      for (Map.Entry<String, String> entity : ENTITIES.entrySet()) {
        plain = plain.replace(entity.getKey(), entity.getValue());
      }
    }
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

  private void add(String line, int number) {
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
        last = isWritten ? last : writer.group();
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
