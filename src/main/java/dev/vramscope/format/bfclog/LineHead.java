package dev.vramscope.format.bfclog;

import dev.vramscope.format.xla.LineWriter;
import dev.vramscope.model.Trace;
import java.time.LocalDate;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A log line of the allocator: what stands before the message, and the message.
 *
 * <pre>
 *   I0000 00:00:1795648390.265010    5308 bfc_allocator.cc:89] message
 *   2026-11-30 06:58:17.265010: I external/xla/tsl/framework/bfc_allocator.cc:89] message
 *   I1126 15:14:58.265010    5308 bfc_allocator.cc:89] message
 * </pre>
 *
 * @param writer who wrote it, in a log of several processes; empty if the line does not say it
 * @param thread the number of the thread as written; empty if the line does not say it
 * @param micros since 1970; {@link Trace#NO_TIME} if the line has none. Lines with a date have the
 *     time of their zone, those with month and day a year that is not known
 */
record LineHead(String writer, String thread, long micros, String message) {
  private static final String SOURCE = "bfc_allocator.cc:";

  private static final Pattern EPOCH =
      Pattern.compile("[IWEF]0000 00:00:([0-9]{9,11})\\.([0-9]{6}) {1,9}([0-9]{1,10}) ");
  private static final Pattern MONTH_AND_DAY =
      Pattern.compile(
          "[IWEF]([01][0-9])([0-3][0-9]) ([0-2][0-9]):([0-5][0-9]):([0-6][0-9])\\.([0-9]{6})"
              + " {1,9}([0-9]{1,10}) ");
  private static final Pattern DATE =
      Pattern.compile(
          "([0-9]{4})-([01][0-9])-([0-3][0-9]) ([0-2][0-9]):([0-5][0-9]):([0-6][0-9])\\.([0-9]{6}):"
              + " ");

  private static final long SECOND = 1_000_000;

  /** The head of a line; empty if the allocator did not write it. */
  static Optional<LineHead> of(String line) {
    int source = line.indexOf(SOURCE);
    int end = source < 0 ? -1 : line.indexOf("] ", source);
    if (end < 0) {
      return Optional.empty();
    }
    LineWriter writer = LineWriter.of(line);
    int start = writer.end();
    String message = line.substring(end + 2);
    Matcher epoch = EPOCH.matcher(line).region(start, source);
    if (epoch.lookingAt()) {
      long micros = Long.parseLong(epoch.group(1)) * SECOND + Long.parseLong(epoch.group(2));
      return Optional.of(new LineHead(writer.name(), epoch.group(3), micros, message));
    }
    Matcher glog = MONTH_AND_DAY.matcher(line).region(start, source);
    if (glog.lookingAt()) {
      long micros = micros(1970, glog, 1);
      return Optional.of(new LineHead(writer.name(), glog.group(7), micros, message));
    }
    Matcher date = DATE.matcher(line).region(start, source);
    long micros =
        date.lookingAt() ? micros(Integer.parseInt(date.group(1)), date, 2) : Trace.NO_TIME;
    return Optional.of(new LineHead(writer.name(), "", micros, message));
  }

  /** Month, day, hour, minute, second and microseconds from a group on. */
  private static long micros(int year, Matcher time, int group) {
    int month = Math.clamp(number(time, group), 1, 12);
    int day = Math.max(1, number(time, group + 1));
    long days = LocalDate.of(year, month, 1).toEpochDay() + day - 1;
    long seconds =
        days * 86_400
            + number(time, group + 2) * 3600L
            + number(time, group + 3) * 60L
            + number(time, group + 4);
    return seconds * SECOND + number(time, group + 5);
  }

  private static int number(Matcher time, int group) {
    return Integer.parseInt(time.group(group));
  }
}
