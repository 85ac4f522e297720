package dev.vramscope.analysis.ledger;

import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.ByteText;
import dev.vramscope.model.Certainty;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.pool.ChunkRules;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;

/**
 * The arrays of a device memory profile beside the chunks in use of a dump. A profile has sizes and
 * no addresses, so which chunk an array is in stays open where several chunks have its size; arrays
 * and chunks are counted by size.
 *
 * @param arrayCount arrays of the profile, each of which has a chunk
 * @param arrayBytes their sum, as the program sees it
 * @param chunkBytes the sum of the chunks they are in
 * @param chunkCount chunks in use of the dump
 * @param inUseBytes their sum
 * @param largerCount arrays that are in a larger chunk, the rest of which the allocator would not
 *     split off; only where the dump does not say what was requested
 * @param sizes of chunks that hold an array, the most bytes first
 */
public record ProfileMatch(
    long arrayCount,
    long arrayBytes,
    long chunkBytes,
    long chunkCount,
    long inUseBytes,
    long largerCount,
    List<Size> sizes) {
  /** Fewer arrays than this may have the sizes of chunks by chance. */
  private static final int ENOUGH_ARRAYS = 8;

  public ProfileMatch {
    sizes = List.copyOf(sizes);
  }

  /**
   * The arrays that are in chunks of one size.
   *
   * @param chunkBytes the size of each chunk
   * @param arrays how many of the profile
   * @param chunks how many are in use; those beyond the arrays hold something else
   */
  public record Size(long chunkBytes, long arrays, long chunks) {
    /** Whether each chunk of this size holds an array of the profile. */
    public boolean isWhole() {
      return arrays == chunks;
    }
  }

  /** The result of a comparison. */
  public sealed interface Compared {
    /** Each array has a chunk: they may be of one moment of one process. */
    record Fits(ProfileMatch match) implements Compared {}

    /**
     * They are not of one moment, or arrays are not in this pool.
     *
     * @param what differs, a sentence without its end
     */
    record Differs(String what) implements Compared {}
  }

  /** Compares a device of a profile with the device of a dump. */
  public static Compared of(DeviceSnapshot dump, DeviceSnapshot profile) {
    long[] arrays =
        profile.segments().stream()
            .flatMap(segment -> segment.blocks().stream())
            .mapToLong(Block::bytes)
            .sorted()
            .toArray();
    List<Chunk> chunks =
        dump.segments().stream()
            .flatMap(segment -> segment.blocks().stream())
            .filter(block -> block.state() == BlockState.ALLOCATED)
            .map(Chunk::of)
            .sorted()
            .toList();
    return arrays.length == 0
        ? new Compared.Differs("The profile has no array on this device")
        : match(arrays, chunks);
  }

  /**
   * A chunk in use.
   *
   * @param bytes its size
   * @param most the largest size of an array in it, in whole units: what was requested, if the dump
   *     says so
   * @param above all smaller arrays would be in a smaller chunk
   */
  private record Chunk(long bytes, long most, long above) implements Comparable<Chunk> {
    static Chunk of(Block block) {
      if (block.requestedBytes() != Block.UNKNOWN) {
        long most = ChunkRules.rounded(block.requestedBytes());
        return new Chunk(block.bytes(), most, most - 1);
      }
      // A rest of half of the chunk, or of 128 MiB, is split off.
      long above = Math.max(block.bytes() / 2, block.bytes() - ChunkRules.MAX_WASTE_BYTES);
      return new Chunk(block.bytes(), block.bytes(), above);
    }

    @Override
    public int compareTo(Chunk other) {
      return Long.compare(most, other.most);
    }
  }

  /**
   * Both are in ascending order, and so are both ends of what fits into a chunk: if each array
   * takes the smallest chunk that is left for it, as many arrays as possible get one.
   */
  private static Compared match(long[] arrays, List<Chunk> chunks) {
    TreeMap<Long, Long> held = new TreeMap<>();
    List<Long> without = new ArrayList<>();
    long chunkBytes = 0;
    long larger = 0;
    int next = 0;
    for (long array : arrays) {
      long needed = ChunkRules.rounded(array);
      while (next < chunks.size() && chunks.get(next).most < needed) {
        next++;
      }
      if (next == chunks.size() || chunks.get(next).above >= needed) {
        without.add(array);
        continue;
      }
      Chunk chunk = chunks.get(next++);
      chunkBytes += chunk.bytes;
      larger += chunk.most > needed ? 1 : 0;
      held.merge(chunk.bytes, 1L, Long::sum);
    }
    if (!without.isEmpty()) {
      return new Compared.Differs(difference(arrays.length, without));
    }
    return new Compared.Fits(
        new ProfileMatch(
            arrays.length,
            Arrays.stream(arrays).sum(),
            chunkBytes,
            chunks.size(),
            chunks.stream().mapToLong(Chunk::bytes).sum(),
            larger,
            sizes(held, chunks)));
  }

  private static List<Size> sizes(TreeMap<Long, Long> held, List<Chunk> chunks) {
    TreeMap<Long, Long> all = new TreeMap<>();
    chunks.forEach(chunk -> all.merge(chunk.bytes, 1L, Long::sum));
    return held.entrySet().stream()
        .map(
            entry ->
                new Size(entry.getKey(), entry.getValue(), all.getOrDefault(entry.getKey(), 0L)))
        .sorted((a, b) -> Long.compare(b.chunkBytes * b.arrays, a.chunkBytes * a.arrays))
        .toList();
  }

  private static String difference(int arrays, List<Long> without) {
    return String.format(
        Locale.ROOT,
        "%,d of the %,d arrays of the profile, the largest of %s, %s no chunk in use of %s size",
        without.size(),
        arrays,
        ByteText.of(without.getLast()),
        without.size() == 1 ? "has" : "have",
        without.size() == 1 ? "its" : "their");
  }

  /** Whether each chunk in use holds an array of the profile. */
  public boolean isWhole() {
    return arrayCount == chunkCount;
  }

  /**
   * How sure it is that both are of one moment of one process. Another run of the same program has
   * arrays of the same sizes, so it is never certain.
   */
  public Certainty certainty() {
    return arrayCount >= ENOUGH_ARRAYS || isWhole() ? Certainty.LIKELY : Certainty.UNDECIDED;
  }
}
