package dev.vramscope.format.bfclog;

import dev.vramscope.evidence.ChunkLine;
import java.util.LinkedHashMap;
import java.util.Map;

/** The dump of a failed request in a verbose log: the chunks at that moment. */
final class LoggedDump {
  /** A log without a dump: no row comes before it, and no block is in it. */
  static final LoggedDump NONE = new LoggedDump(-1);

  private final int row;
  private final Map<Long, ChunkLine> chunks = new LinkedHashMap<>();

  /**
   * A dump whose chunks follow.
   *
   * @param row the number of rows before it
   */
  LoggedDump(int row) {
    this.row = row;
  }

  int row() {
    return row;
  }

  void add(ChunkLine chunk) {
    chunks.put(chunk.address(), chunk);
  }

  int size() {
    return chunks.size();
  }

  boolean isInUse(long address) {
    ChunkLine chunk = chunks.get(address);
    return chunk != null && !chunk.isFree();
  }

  /** By address. */
  Map<Long, ChunkLine> chunks() {
    return chunks;
  }
}
