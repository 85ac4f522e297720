package dev.vramscope.allocator.bfc;

import dev.vramscope.allocator.ReleaseRanking;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * All chunks of one allocator, as records of eight longs in one array. A chunk is identified by its
 * slot number, from 0, and the numbers equal XLA's chunk handles: a new chunk reuses the slot
 * destroyed last, or else gets the next number.
 *
 * <pre>
 *   word
 *    0    address
 *    1    bytes
 *    2    requested bytes of the last allocation in this slot
 *    3    allocation id, -1 = free
 *    4    freed at, a value of the timing counter, 0 = none
 *    5    previous slot in the region, -1 = none
 *    6    next slot in the region, -1 = none; in a dead slot, the next dead slot
 *    7    stream (16) | tag (8), 3 = dead
 * </pre>
 *
 * <p>A handle is {@code allocation id << 27 | slot}: it is never 0 and does not repeat within 2^36
 * allocations.
 */
final class ChunkTable implements ReleaseRanking.Blocks {
  static final int NONE = -1;
  static final int NO_BIN = -1;

  /** No address: every address is a multiple of {@link #UNIT_BYTES}. */
  static final long NO_ADDRESS = -1;

  /** Numbers of the tags, see {@link Tag#of}. */
  static final int GAP = 0;

  static final int LOWER = 1;
  static final int UPPER = 2;
  private static final int DEAD = 3;

  /** All chunk sizes and offsets within a region are multiples of this. */
  static final long UNIT_BYTES = 256;

  private static final long FREE = -1;
  private static final int LOG2_WORDS = 3;
  private static final int ADDRESS = 0;
  private static final int BYTES = 1;
  private static final int REQUESTED = 2;
  private static final int ALLOCATION = 3;
  private static final int FREED_AT = 4;
  private static final int PREVIOUS = 5;
  private static final int NEXT = 6;
  private static final int STATE = 7;

  private static final int TAG_MASK = 0xff;
  private static final int STREAM_SHIFT = 8;
  private static final int STREAM_MASK = 0xffff;

  private static final int SLOT_BITS = 27;
  private static final int SLOT_MASK = (1 << SLOT_BITS) - 1;
  private static final long ALLOCATION_MASK = (1L << (63 - SLOT_BITS)) - 1;

  private static final VarHandle WORDS = wordsHandle();

  /** Replaced with release order when it grows, for {@link #addressOf}. */
  private long[] words = new long[64 << LOG2_WORDS];

  private int slotCount;
  private int firstDead = NONE;

  private static VarHandle wordsHandle() {
    try {
      return MethodHandles.lookup().findVarHandle(ChunkTable.class, "words", long[].class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Returns a slot for a new chunk; the slot keeps the requested bytes of its last allocation. */
  int create() {
    int slot = firstDead;
    if (slot != NONE) {
      firstDead = next(slot);
    } else {
      slot = slotCount++;
      int end = slotCount << LOG2_WORDS;
      if (end > words.length) {
        grow();
      }
    }
    int at = slot << LOG2_WORDS;
    words[at + ALLOCATION] = FREE;
    words[at + FREED_AT] = 0;
    words[at + PREVIOUS] = NONE;
    words[at + NEXT] = NONE;
    words[at + STATE] = 0;
    return slot;
  }

  private void grow() {
    if (slotCount > SLOT_MASK) {
      throw new IllegalStateException("The chunk table is limited to " + slotCount + " chunks.");
    }
    WORDS.setRelease(this, Arrays.copyOf(words, 2 * words.length));
  }

  void destroy(int slot) {
    int at = slot << LOG2_WORDS;
    words[at + ALLOCATION] = FREE;
    words[at + STATE] = DEAD;
    words[at + NEXT] = firstDead;
    firstDead = slot;
  }

  /** The number of slots ever used. */
  @Override
  public int slotCount() {
    return slotCount;
  }

  /** The slot that the next new chunk reuses, or {@link #NONE}. */
  int firstDead() {
    return firstDead;
  }

  boolean isDead(int slot) {
    return tag(slot) == DEAD;
  }

  @Override
  public long address(int slot) {
    return words[(slot << LOG2_WORDS) + ADDRESS];
  }

  long endAddress(int slot) {
    int at = slot << LOG2_WORDS;
    return words[at + ADDRESS] + words[at + BYTES];
  }

  @Override
  public long bytes(int slot) {
    return words[(slot << LOG2_WORDS) + BYTES];
  }

  void setBytes(int slot, long bytes) {
    words[(slot << LOG2_WORDS) + BYTES] = bytes;
  }

  void setRange(int slot, long address, long bytes) {
    int at = slot << LOG2_WORDS;
    words[at + ADDRESS] = address;
    words[at + BYTES] = bytes;
  }

  long requestedBytes(int slot) {
    return words[(slot << LOG2_WORDS) + REQUESTED];
  }

  /** The sequence number of the allocation, from 1; -1 for a free chunk. */
  long allocationId(int slot) {
    return words[(slot << LOG2_WORDS) + ALLOCATION];
  }

  @Override
  public boolean isAllocated(int slot) {
    return allocationId(slot) != FREE;
  }

  @Override
  public boolean isBlock(int slot) {
    return slot != NONE;
  }

  /** Free chunks of either tag can coalesce. */
  @Override
  public boolean isFree(int slot) {
    return !isAllocated(slot);
  }

  /** Marks a free chunk as allocated. The chunk must be in no bin. */
  void allocate(int slot, long requestedBytes, long allocationId, int stream, int tag) {
    int at = slot << LOG2_WORDS;
    words[at + REQUESTED] = requestedBytes;
    words[at + ALLOCATION] = allocationId;
    words[at + STATE] = ((long) (stream & STREAM_MASK) << STREAM_SHIFT) | tag;
  }

  /**
   * Splits a chunk in two. The chunk must be in no bin.
   *
   * @param bytes size of the left chunk, which keeps the slot
   * @return the right chunk: free, in no bin, with the tag and the free count of the left one
   */
  int split(int slot, long bytes) {
    int right = create();
    int from = slot << LOG2_WORDS;
    int to = right << LOG2_WORDS;
    int next = (int) words[from + NEXT];
    words[to + ADDRESS] = words[from + ADDRESS] + bytes;
    words[to + BYTES] = words[from + BYTES] - bytes;
    words[to + FREED_AT] = words[from + FREED_AT];
    words[to + PREVIOUS] = slot;
    words[to + NEXT] = next;
    words[to + STATE] = words[from + STATE] & TAG_MASK;
    words[from + BYTES] = bytes;
    words[from + NEXT] = right;
    if (next != NONE) {
      words[(next << LOG2_WORDS) + PREVIOUS] = right;
    }
    return right;
  }

  /** Merges a chunk into its left neighbour. Chunks of different tags become the central gap. */
  void merge(int left, int right) {
    int to = left << LOG2_WORDS;
    int from = right << LOG2_WORDS;
    int next = (int) words[from + NEXT];
    words[to + BYTES] += words[from + BYTES];
    words[to + NEXT] = next;
    if (next != NONE) {
      words[(next << LOG2_WORDS) + PREVIOUS] = left;
    }
    if (tag(left) != tag(right)) {
      setTag(left, GAP);
    }
    if (words[from + FREED_AT] > words[to + FREED_AT]) {
      words[to + FREED_AT] = words[from + FREED_AT];
    }
    destroy(right);
  }

  void free(int slot) {
    words[(slot << LOG2_WORDS) + ALLOCATION] = FREE;
  }

  long freedAt(int slot) {
    return words[(slot << LOG2_WORDS) + FREED_AT];
  }

  void setFreedAt(int slot, long count) {
    words[(slot << LOG2_WORDS) + FREED_AT] = count;
  }

  @Override
  public int previous(int slot) {
    return (int) words[(slot << LOG2_WORDS) + PREVIOUS];
  }

  @Override
  public int next(int slot) {
    return (int) words[(slot << LOG2_WORDS) + NEXT];
  }

  /** Makes two chunks neighbours; either may be {@link #NONE}. */
  void link(int left, int right) {
    if (left != NONE) {
      words[(left << LOG2_WORDS) + NEXT] = right;
    }
    if (right != NONE) {
      words[(right << LOG2_WORDS) + PREVIOUS] = left;
    }
  }

  /** The bin that holds the chunk, or {@link #NO_BIN}. */
  int bin(int slot) {
    return isBinned(slot) ? Bins.of(bytes(slot)) : NO_BIN;
  }

  /** Whether a bin holds the chunk: it is free, and neither a central gap nor dead. */
  boolean isBinned(int slot) {
    int tag = tag(slot);
    return !isAllocated(slot) && (tag == LOWER || tag == UPPER);
  }

  int tag(int slot) {
    return (int) words[(slot << LOG2_WORDS) + STATE] & TAG_MASK;
  }

  void setTag(int slot, int tag) {
    int at = (slot << LOG2_WORDS) + STATE;
    words[at] = (words[at] & ~(long) TAG_MASK) | tag;
  }

  int stream(int slot) {
    return (int) (words[(slot << LOG2_WORDS) + STATE] >>> STREAM_SHIFT) & STREAM_MASK;
  }

  /** Whether an aligned block of this size fits at the lower end of the chunk. */
  boolean fitsLow(int slot, long bytes, long alignment) {
    return bytes(slot) - bytes >= lowPadding(slot, alignment);
  }

  /** Whether an aligned block of this size fits at the upper end of the chunk. */
  boolean fitsHigh(int slot, long bytes, long alignment) {
    return Long.compareUnsigned(bytes(slot), bytes) >= 0
        && highStart(slot, bytes, alignment) >= address(slot);
  }

  /** Bytes before the first aligned address, rounded up to whole units. */
  long lowPadding(int slot, long alignment) {
    return ((-address(slot) & (alignment - 1)) + UNIT_BYTES - 1) & -UNIT_BYTES;
  }

  /** The highest aligned address with this many bytes between it and the chunk's end. */
  long highStart(int slot, long bytes, long alignment) {
    return (endAddress(slot) - bytes) & -alignment;
  }

  long handle(int slot) {
    return ((allocationId(slot) & ALLOCATION_MASK) << SLOT_BITS) | slot;
  }

  /** The allocated chunk with this handle, or {@link #NONE}. */
  int slotOf(long handle) {
    return slot(words, handle);
  }

  /**
   * The address of the allocated chunk with this handle, or {@link #NO_ADDRESS}. May be called
   * without the lock: a chunk does not move while it is allocated, and the thread that has the
   * handle sees what the allocation wrote.
   */
  long addressOf(long handle) {
    long[] w = (long[]) WORDS.getAcquire(this);
    int slot = slot(w, handle);
    return slot == NONE ? NO_ADDRESS : w[(slot << LOG2_WORDS) + ADDRESS];
  }

  /**
   * Passes the details of an allocated chunk to the consumer. May be called without the lock, as
   * {@link #addressOf}.
   *
   * @return false if the handle names no allocated chunk
   */
  boolean describe(long handle, AllocationConsumer consumer) {
    long[] w = (long[]) WORDS.getAcquire(this);
    int slot = slot(w, handle);
    if (slot == NONE) {
      return false;
    }
    int at = slot << LOG2_WORDS;
    consumer.accept(w[at + ADDRESS], w[at + BYTES], w[at + ALLOCATION]);
    return true;
  }

  private static int slot(long[] words, long handle) {
    int slot = (int) handle & SLOT_MASK;
    if (slot >= words.length >> LOG2_WORDS) {
      return NONE;
    }
    // An unused slot has the allocation id 0 and a free one -1; no handle has either.
    long id = words[(slot << LOG2_WORDS) + ALLOCATION];
    boolean valid = id > 0 && (((id & ALLOCATION_MASK) << SLOT_BITS) | slot) == handle;
    return valid ? slot : NONE;
  }
}
