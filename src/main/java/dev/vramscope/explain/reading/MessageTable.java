package dev.vramscope.explain.reading;

import dev.vramscope.explain.message.LeftOut;
import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.message.LogMessages;
import dev.vramscope.explain.message.MessageKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The different messages of a text, and how often each occurs. All messages are counted. If there
 * are too many different ones, the least important are left out: reports before warnings, warnings
 * before failures, rare ones before frequent ones, and late ones before early ones, but never the
 * first of a kind nor the last failure.
 *
 * <p>The counts of all are kept, of the others only those. A message becomes more important only
 * when it occurs again, and is here then: those that are kept are always the most important ones.
 */
final class MessageTable {
  /** The most messages that are kept; more processes than that fail in no log. */
  static final int MAX = 200;

  /**
   * A message.
   *
   * @param rank 0 for the first of its kind
   * @param order of its first occurrence
   */
  private record Entry(long key, LogMessage message, int rank, int times, long order) {}

  private static final Comparator<Entry> IMPORTANT_FIRST =
      Comparator.comparingInt(Entry::rank)
          .thenComparing(Comparator.comparingInt(Entry::times).reversed())
          .thenComparingLong(Entry::order);

  /** How many there are of a kind. */
  private static final class Total {
    private long messages;
    private long different;
  }

  private final MessageCounts counts = new MessageCounts();
  private final Map<MessageKind, Total> totals = new LinkedHashMap<>();
  private final Map<Long, Entry> entries = new HashMap<>();
  private final TreeSet<Entry> keptEntries = new TreeSet<>(IMPORTANT_FIRST);
  private @Nullable LogMessage lastFailure;
  private long orders;

  /** A number for the next message of the text, in the order in which messages begin. */
  long nextOrder() {
    return orders++;
  }

  /**
   * Counts a message.
   *
   * @param order one of {@link #nextOrder}
   */
  void add(LogMessage message, long order) {
    long key = MessageCounts.key(message);
    boolean isFirstOfKind = !totals.containsKey(message.kind());
    Total total = totals.computeIfAbsent(message.kind(), _ -> new Total());
    total.messages += message.times();
    total.different += counts.add(key, message, order) ? 1 : 0;
    if (message.kind().isFailure()
        && (lastFailure == null || message.line() >= lastFailure.line())) {
      lastFailure = message;
    }
    Entry oldEntry = entries.remove(key);
    if (oldEntry != null) {
      keptEntries.remove(oldEntry);
    }
    keep(
        new Entry(
            key,
            oldEntry == null ? message : oldEntry.message,
            oldEntry == null ? rank(message.kind(), isFirstOfKind) : oldEntry.rank,
            counts.times(key),
            counts.order(key)));
  }

  private void keep(Entry entry) {
    entries.put(entry.key, entry);
    keptEntries.add(entry);
    if (keptEntries.size() > MAX) {
      entries.remove(keptEntries.removeLast().key);
    }
  }

  private static int rank(MessageKind kind, boolean isFirstOfKind) {
    return isFirstOfKind ? 0 : kind.isFailure() ? 1 : kind.isWarning() ? 2 : 3;
  }

  LogMessages messages() {
    if (lastFailure != null && !entries.containsKey(MessageCounts.key(lastFailure))) {
      long key = MessageCounts.key(lastFailure);
      // The least important one makes room for it.
      keep(new Entry(key, lastFailure, 0, counts.times(key), counts.order(key)));
    }
    List<Entry> listed = new ArrayList<>(keptEntries);
    listed.sort(
        Comparator.<Entry>comparingInt(entry -> counts.line(entry.key))
            .thenComparingLong(Entry::order));
    LeftOut leftOut = LeftOut.NONE;
    Map<MessageKind, Total> left = leftOut(listed);
    for (Map.Entry<MessageKind, Total> kind : left.entrySet()) {
      leftOut = leftOut.plus(kind.getKey(), kind.getValue().messages);
    }
    return new LogMessages(listed.stream().map(this::counted).toList(), leftOut, failures(left));
  }

  private LogMessage counted(Entry entry) {
    LogMessage message = entry.message;
    return new LogMessage(
        message.kind(), counts.line(entry.key), entry.times, message.fields(), message.process());
  }

  private Map<MessageKind, Total> leftOut(List<Entry> listed) {
    Map<MessageKind, Total> left = new LinkedHashMap<>();
    totals.forEach(
        (kind, total) -> {
          Total rest = new Total();
          rest.messages = total.messages;
          rest.different = total.different;
          left.put(kind, rest);
        });
    for (Entry entry : listed) {
      Total rest = left.get(entry.message.kind());
      if (rest != null) {
        rest.messages -= entry.times;
        rest.different--;
      }
    }
    return left;
  }

  /** The failures that are left out; empty if their messages may be those of other failures. */
  private OptionalLong failures(Map<MessageKind, Total> left) {
    long failures = 0;
    for (Map.Entry<MessageKind, Total> kind : left.entrySet()) {
      long different = kind.getKey().isFailure() ? kind.getValue().different : 0;
      if (different > 0
          && kind.getKey().mayBePart()
          && totals.keySet().stream().anyMatch(MessageKind::isLeadingPart)) {
        return OptionalLong.empty();
      }
      failures += different;
    }
    return OptionalLong.of(failures);
  }
}
