package dev.vramscope.evidence;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The lines that a BFC allocator writes into a log when a request fails: the request, and the pool
 * as a {@code MemoryDump} of the same moment has it, too.
 *
 * @param allocator its name
 * @param requestedBytes the request, rounded up to the size of a chunk
 * @param operation that made the request; empty if the line does not name it
 * @param limit of the pool
 * @param chunks the lines with a chunk; a long log may have been cut
 * @param bins the numbers of chunks in each size class, from the smallest; empty unless the text
 *     has all of them
 */
public record PoolText(
    String allocator,
    long requestedBytes,
    String operation,
    PoolLimit limit,
    List<ChunkLine> chunks,
    List<BinChunks> bins)
    implements Evidence {
  private static final Pattern REQUEST =
      Pattern.compile(
          "Allocator \\(([^)\\s]{1,80})\\) ran out of memory trying to allocate"
              + " [^(\\n]{1,40}\\(rounded to ([0-9]{1,18})\\)"
              + "(?:[^\\n]{0,60}?requested by op ([^\\s\\n]{1,200}))?");

  private static final Pattern CHUNK = Pattern.compile(ChunkLine.PATTERN);

  private static final Pattern BIN = Pattern.compile(BinLine.COUNTS_PATTERN);

  /** The chunks of a size class. */
  public record BinChunks(long all, long inUse) {}

  public PoolText {
    chunks = List.copyOf(chunks);
    bins = List.copyOf(bins);
  }

  /** Reads the first failed request of a text; empty if it has none. */
  public static Optional<PoolText> parse(String text) {
    Matcher request = REQUEST.matcher(text);
    if (!request.find()) {
      return Optional.empty();
    }
    String allocator = request.group(1);
    long requested = Long.parseLong(request.group(2));
    String operation = request.group(3) == null ? "" : request.group(3);
    int end = request.find() ? request.start() : text.length();
    PoolLimit limit = new PoolLimit();
    List<ChunkLine> chunks = new ArrayList<>();
    List<BinChunks> bins = new ArrayList<>();
    for (String line : text.substring(0, end).split("\n")) {
      limit.read(line);
      Matcher chunk = CHUNK.matcher(line);
      if (chunk.find()) {
        chunks.add(ChunkLine.of(chunk));
      }
      Matcher bin = BIN.matcher(line);
      if (bin.find()) {
        bins.add(new BinChunks(Long.parseLong(bin.group(1)), Long.parseLong(bin.group(2))));
      }
    }
    return Optional.of(
        new PoolText(
            allocator,
            requested,
            operation,
            limit,
            chunks,
            bins.size() == BinLine.COUNT ? bins : List.of()));
  }

  /**
   * The lines of a log that {@link #parse} reads, as many as a text may have; empty if it has no
   * failed request. Of a long log, the request, the size classes and the limit are kept, and chunks
   * as long as there is room.
   */
  public static Optional<String> excerpt(String log) {
    Matcher request = REQUEST.matcher(log);
    if (!request.find()) {
      return Optional.empty();
    }
    int begin = log.lastIndexOf('\n', request.start()) + 1;
    int end = request.find() ? request.start() : log.length();
    List<String> lines = List.of(log.substring(begin, end).split("\n"));
    int room = MAX_CHARACTERS;
    boolean[] isKept = new boolean[lines.size()];
    for (boolean isForChunks : new boolean[] {false, true}) {
      for (int i = 0; i < lines.size(); i++) {
        String line = lines.get(i);
        boolean isChunk = CHUNK.matcher(line).find();
        boolean isWanted = isChunk ? isForChunks : !isForChunks && isRead(line);
        if (isWanted && line.length() < room) {
          isKept[i] = true;
          room -= line.length() + 1;
        }
      }
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < isKept.length; i++) {
      text.append(isKept[i] ? lines.get(i).stripTrailing() + "\n" : "");
    }
    return Optional.of(text.toString().strip());
  }

  private static boolean isRead(String line) {
    PoolLimit limit = new PoolLimit();
    limit.read(line);
    return limit.isRead() || BIN.matcher(line).find() || REQUEST.matcher(line).find();
  }
}
