package dev.vramscope.explain.producer;

import dev.vramscope.model.Frame;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The Python tracebacks of a log, in the order of the text. Each line of one may begin with what a
 * logger writes.
 */
final class Tracebacks {
  private static final Pattern FRAME =
      Pattern.compile(
          "File\\s{1,3}\"([^\"\\n"
              + "]{1,1000})\",\\s{1,3}line\\s{1,3}(\\d{1,9}),\\s{1,3}in\\s{1,3}([^\\s,]{1,200})");

  /** A frame has a line of code and one of marks below it; loggers add some. */
  private static final int LINES_OF_FRAME = 4;

  /** The same in a mail, which wraps them. */
  private static final int LINES_OF_WRAPPED_FRAME = 8;

  /** Between the last frame and the message: the exceptions may have notes. */
  private static final int LINES_TO_MESSAGE = 12;

  private static final int MOST = 10_000;

  /**
   * A traceback.
   *
   * @param lastLine of its innermost frame, from 1
   * @param end of that frame, as a position in the text
   * @param frames outermost first
   */
  private record Traceback(int lastLine, int end, List<Frame> frames) {
    /** The code that failed; the line below that of the innermost frame is its source. */
    FailingCode code(String text) {
      int source = text.indexOf('\n', end) + 1;
      int next = text.indexOf('\n', source);
      return FailingCode.of(frames, source == 0 || next < 0 ? "" : text.substring(source, next));
    }
  }

  /** Between the last frame and its message, in characters. */
  private static final int REACH = 3000;

  private final List<Traceback> all = new ArrayList<>();
  private final String text;

  private Tracebacks(String text) {
    this.text = text;
  }

  static Tracebacks of(String text) {
    Tracebacks tracebacks = new Tracebacks(text);
    Matcher frame = FRAME.matcher(text);
    List<Frame> frames = new ArrayList<>();
    int line = 1;
    int at = 0;
    int lastLine = 0;
    int end = 0;
    while (tracebacks.all.size() < MOST && frame.find()) {
      for (int next = text.indexOf('\n', at);
          next >= 0 && next < frame.start();
          next = text.indexOf('\n', at)) {
        line++;
        at = next + 1;
      }
      int most = frame.group().indexOf('\n') < 0 ? LINES_OF_FRAME : LINES_OF_WRAPPED_FRAME;
      if (!frames.isEmpty() && line - lastLine > most) {
        tracebacks.all.add(new Traceback(lastLine, end, frames));
        frames = new ArrayList<>();
      }
      frames.add(new Frame(frame.group(3), frame.group(1), Integer.parseInt(frame.group(2))));
      lastLine = line;
      end = frame.end();
    }
    if (!frames.isEmpty()) {
      tracebacks.all.add(new Traceback(lastLine, end, frames));
    }
    return tracebacks;
  }

  /** The code of the first traceback below a line that is followed by some words. */
  Optional<FailingCode> beforeWords(int line, String words) {
    for (Traceback each : all) {
      if (each.lastLine > line) {
        int at = text.indexOf(words, each.end);
        if (at >= 0 && at - each.end <= REACH) {
          return Optional.of(each.code(text));
        }
      }
    }
    return Optional.empty();
  }

  /** The code that led to the message at a line, if its traceback stands above it. */
  Optional<FailingCode> before(int line) {
    for (Traceback each : all.reversed()) {
      if (each.lastLine < line) {
        return line - each.lastLine <= LINES_TO_MESSAGE
            ? Optional.of(each.code(text))
            : Optional.empty();
      }
    }
    return Optional.empty();
  }
}
