package dev.vramscope.evidence;

import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * A line with a chunk, in the dump of a BFC allocator.
 *
 * @param address of its first byte
 * @param bytes the size
 * @param operation who allocated it, an executable of XLA or an operation of TensorFlow; empty if
 *     the line does not name it, as those of older releases
 */
public record ChunkLine(boolean isFree, long address, long bytes, String operation) {
  /** A chunk, for {@link #of}. */
  public static final String PATTERN =
      "\\b(InUse|Free|Chunk) {1,2}at (?:0x)?([0-9a-f]{1,16}) (?:next [0-9]{1,20} )?of size"
          + " ([0-9]{1,18})(?![.,]?[0-9A-Za-z])(?: tag [a-z_]{1,20})?"
          + "(?: allocation_annotation ([^\\n]{1,300}?) next [0-9]"
          + "| by op ([^\\n]{1,300}?) action_count [0-9])?";

  private static final Pattern EXECUTABLE =
      Pattern.compile("xla\\.execute\\{executable=([^{}]{1,300})\\}");

  /** The chunk of a match of {@link #PATTERN}. */
  public static ChunkLine of(MatchResult match) {
    String annotation = match.group(4);
    return new ChunkLine(
        match.group(1).equals("Free"),
        Long.parseUnsignedLong(match.group(2), 16),
        Long.parseLong(match.group(3)),
        annotation == null
            ? match.group(5) == null ? "" : match.group(5)
            : EXECUTABLE.matcher(annotation).replaceAll("$1"));
  }
}
