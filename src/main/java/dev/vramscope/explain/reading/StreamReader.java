package dev.vramscope.explain.reading;

import dev.vramscope.explain.message.Field;
import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.work.HeavyWork;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the messages of one process. Each ends where the next one begins that is not between its
 * own parts.
 */
final class StreamReader {
  /** A message that may have further parts after those that are read. */
  private record Open(FormPlace place, long order) {}

  /** A message that was read: the next one is often the same. */
  private record Read(MessageForm form, int start, int end, List<Field> fields) {}

  private final LogStream stream;
  private final String text;
  private final MessageTable messages;
  private final List<Open> open = new ArrayList<>();
  private @Nullable Read last;

  StreamReader(LogStream stream, MessageTable messages) {
    this.stream = stream;
    this.messages = messages;
    text = stream.text();
  }

  void read(List<MessageForm> forms, PresentWords words) {
    StreamPlaces places = new StreamPlaces(text, forms, words.in(text));
    for (FormPlace place = places.next(); place != null; place = places.next()) {
      HeavyWork.checkpoint();
      closeBefore(place.start());
      open.add(new Open(place, messages.nextOrder()));
    }
    open.forEach(each -> close(each, text.length()));
  }

  private void closeBefore(int start) {
    for (Iterator<Open> all = open.iterator(); all.hasNext(); ) {
      Open each = all.next();
      if (start >= each.place.last()) {
        all.remove();
        close(each, start);
      }
    }
  }

  private void close(Open open, int limit) {
    FormPlace place = open.place;
    int end = Math.min(limit, place.last() + FormPlace.REACH);
    List<Field> fields =
        last != null && isSame(last, place, end)
            ? last.fields
            : place.form().fields(text, place.start(), end);
    last = new Read(place.form(), place.start(), end, fields);
    messages.add(
        new LogMessage(place.form().kind(), stream.line(place.start()), 1, fields, stream.writer()),
        open.order);
  }

  private boolean isSame(Read read, FormPlace place, int end) {
    int length = end - place.start();
    return read.form == place.form()
        && read.end - read.start == length
        && text.regionMatches(read.start, text, place.start(), length);
  }
}
