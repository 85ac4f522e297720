package dev.vramscope.replay;

import dev.vramscope.allocator.bfc.log.LogEntry;
import dev.vramscope.allocator.bfc.log.LogSink;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The allocator's log during one operation, written in full or as a hash (64-bit FNV-1a). */
abstract sealed class BfcLog implements LogSink {
  static BfcLog of(String mode) {
    return mode.strip().equals("hash") ? new Hashed() : new Full();
  }

  /** Moves the logged entries, if any, to the record. */
  abstract void write(RecordWriter record);

  private static final class Full extends BfcLog {
    private final List<LogEntry> entries = new ArrayList<>();

    @Override
    public void log(LogEntry entry) {
      entries.add(entry);
    }

    @Override
    void write(RecordWriter record) {
      if (entries.isEmpty()) {
        return;
      }
      record.name("log").beginArray();
      for (LogEntry entry : entries) {
        String letter = String.valueOf(entry.severity().letter());
        record.beginArray().value(letter).value(entry.text()).endArray();
      }
      record.endArray();
      entries.clear();
    }
  }

  private static final class Hashed extends BfcLog {
    private static final long OFFSET_BASIS = 0xcbf29ce484222325L;
    private static final long PRIME = 0x100000001b3L;

    private long hash = OFFSET_BASIS;
    private int count;

    @Override
    public void log(LogEntry entry) {
      count++;
      add(entry.severity().letter());
      add(' ');
      for (byte b : entry.text().getBytes(StandardCharsets.UTF_8)) {
        add(b & 0xff);
      }
      add('\n');
    }

    private void add(int octet) {
      hash = (hash ^ octet) * PRIME;
    }

    @Override
    void write(RecordWriter record) {
      if (count > 0) {
        record.field("log_n", count).field("log_fnv", String.format(Locale.ROOT, "%016x", hash));
        hash = OFFSET_BASIS;
        count = 0;
      }
    }
  }
}
