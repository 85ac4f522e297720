package dev.vramscope.allocator.caching.blocks;

import dev.vramscope.allocator.ReleaseRanking;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * All blocks of one allocator, as records of eight longs in one array. A block is a slot number,
 * from 1; slots of removed blocks are reused.
 *
 * <pre>
 *   word  63                    32 31                     0
 *    0    address
 *    1    bytes
 *    2    requested bytes
 *    3    previous slot          | next slot                  neighbours in the segment, 0 = none
 *    4    stream (16) | pool (24)            | flags (24)
 *    5    registration (31 used) | segment number
 *    6    age base (48)                      | pending events (16)
 *    7    generation             | first stream use, 0 = none
 * </pre>
 *
 * <p>A record is one cache line. The generation in word 7 makes handles of freed blocks invalid: a
 * handle is {@code generation << 32 | slot}. In a free slot, word 3 links the next free slot.
 *
 * <p>Invariants: neighbours link to each other and are adjacent; a block is {@link #ACTIVE} while
 * it is {@link #ALLOCATED} or has pending events or stream uses; an active block is mapped.
 */
public final class Blocks implements ReleaseRanking.Blocks {
  public static final int NONE = 0;

  /** In use by a client. */
  public static final int ALLOCATED = 1;

  /** Allocated, or freed and still used by a stream. */
  public static final int ACTIVE = 1 << 1;

  /** Backed by memory; only expandable segments have blocks that are not. */
  public static final int MAPPED = 1 << 2;

  /** Part of an expandable segment. */
  public static final int EXPANDABLE = 1 << 3;

  /** The largest slot number that fits in the keys of {@link SortedBlocks}. */
  static final int MAX_SLOT = (1 << 24) - 1;

  private static final int LOG2_WORDS = 3;
  private static final int ADDRESS = 0;
  private static final int BYTES = 1;
  private static final int REQUESTED = 2;
  private static final int LINKS = 3;
  private static final int OWNER = 4;
  private static final int ORIGIN = 5;
  private static final int AGE = 6;
  private static final int IDENTITY = 7;

  private static final int STREAM_SHIFT = 48;
  private static final int POOL_SHIFT = 24;
  private static final int POOL_MASK = (1 << 24) - 1;
  private static final int EVENTS_BITS = 16;
  private static final long EVENTS_MASK = (1L << EVENTS_BITS) - 1;
  private static final long LOW = 0xffff_ffffL;

  /** Registrations are compared modulo 2^31; only the order of equal sizes depends on it. */
  public static final long REGISTRATION_MASK = (1L << 31) - 1;

  private static final VarHandle WORDS = wordsHandle();

  /** Replaced with release order when it grows, for {@link #addressOf}. */
  private long[] words = new long[256 << LOG2_WORDS];

  private int slots = 1;
  private int firstFree = NONE;
  private int freeSlots;

  private static VarHandle wordsHandle() {
    try {
      return MethodHandles.lookup().findVarHandle(Blocks.class, "words", long[].class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Creates an inactive block without neighbours. */
  public int create(
      long address, long bytes, int stream, int pool, int flags, HeldSegment segment) {
    int block = takeSlot();
    int at = block << LOG2_WORDS;
    words[at + ADDRESS] = address;
    words[at + BYTES] = bytes;
    words[at + REQUESTED] = 0;
    words[at + LINKS] = 0;
    words[at + OWNER] = ((long) stream << STREAM_SHIFT) | ((long) pool << POOL_SHIFT) | flags;
    words[at + ORIGIN] = ((segment.registration() & REGISTRATION_MASK) << 32) | segment.number();
    words[at + AGE] = 0;
    return block;
  }

  /**
   * Splits the first bytes off a block.
   *
   * @return the new inactive block in front, with the same flags
   */
  int splitFront(int block, long bytes) {
    int front = takeSlot();
    long[] w = words;
    int at = front << LOG2_WORDS;
    int rest = block << LOG2_WORDS;
    long address = w[rest + ADDRESS];
    long links = w[rest + LINKS];
    int before = (int) (links >>> 32);
    w[at + ADDRESS] = address;
    w[at + BYTES] = bytes;
    w[at + REQUESTED] = 0;
    w[at + LINKS] = (links & ~LOW) | block;
    w[at + OWNER] = w[rest + OWNER];
    w[at + ORIGIN] = w[rest + ORIGIN];
    w[at + AGE] = 0;
    w[rest + ADDRESS] = address + bytes;
    w[rest + BYTES] -= bytes;
    w[rest + LINKS] = ((long) front << 32) | (links & LOW);
    if (before != NONE) {
      setNext(before, front);
    }
    return front;
  }

  /**
   * Splits a block after its first bytes.
   *
   * @return the new inactive block after it, with these flags
   */
  int splitBack(int block, long bytes, int flags) {
    int back = takeSlot();
    long[] w = words;
    int at = back << LOG2_WORDS;
    int front = block << LOG2_WORDS;
    long links = w[front + LINKS];
    int after = (int) links;
    w[at + ADDRESS] = w[front + ADDRESS] + bytes;
    w[at + BYTES] = w[front + BYTES] - bytes;
    w[at + REQUESTED] = 0;
    w[at + LINKS] = ((long) block << 32) | after;
    w[at + OWNER] = (w[front + OWNER] & -(1L << POOL_SHIFT)) | flags;
    w[at + ORIGIN] = w[front + ORIGIN];
    w[at + AGE] = 0;
    w[front + BYTES] = bytes;
    w[front + LINKS] = (links & ~LOW) | back;
    if (after != NONE) {
      setPrevious(after, back);
    }
    return back;
  }

  /** The block takes over the range and the neighbour of the block before it, which is removed. */
  void absorbPrevious(int block) {
    long[] w = words;
    int at = block << LOG2_WORDS;
    int removed = previous(block);
    int absorbed = removed << LOG2_WORDS;
    long outer = w[absorbed + LINKS] & ~LOW;
    w[at + ADDRESS] = w[absorbed + ADDRESS];
    w[at + BYTES] += w[absorbed + BYTES];
    w[at + LINKS] = outer | (w[at + LINKS] & LOW);
    if (outer != 0) {
      setNext((int) (outer >>> 32), block);
    }
    remove(removed);
  }

  /** The block takes over the range and the neighbour of the block after it, which is removed. */
  void absorbNext(int block) {
    long[] w = words;
    int at = block << LOG2_WORDS;
    int removed = next(block);
    int absorbed = removed << LOG2_WORDS;
    long outer = w[absorbed + LINKS] & LOW;
    w[at + BYTES] += w[absorbed + BYTES];
    w[at + LINKS] = (w[at + LINKS] & ~LOW) | outer;
    if (outer != 0) {
      setPrevious((int) outer, block);
    }
    remove(removed);
  }

  private int takeSlot() {
    int block = firstFree;
    if (block != NONE) {
      firstFree = next(block);
      freeSlots--;
      return block;
    }
    block = slots;
    if (block > MAX_SLOT) {
      throw new IllegalStateException(
          "An allocator holds at most " + MAX_SLOT + " blocks; free some, or use larger ones.");
    }
    slots++;
    if ((slots << LOG2_WORDS) > words.length) {
      WORDS.setRelease(this, Arrays.copyOf(words, 2 * words.length));
    }
    words[(block << LOG2_WORDS) + IDENTITY] = 1L << 32;
    return block;
  }

  /** Removes a block that was coalesced into another or whose segment was released. */
  public void remove(int block) {
    int at = block << LOG2_WORDS;
    words[at + OWNER] = 0;
    words[at + LINKS] = firstFree;
    firstFree = block;
    freeSlots++;
  }

  /** The number of blocks, mapped or not. */
  public int liveCount() {
    return slots - 1 - freeSlots;
  }

  /** One more than the highest slot ever used. */
  @Override
  public int slotCount() {
    return slots;
  }

  @Override
  public long address(int block) {
    return words[(block << LOG2_WORDS) + ADDRESS];
  }

  @Override
  public long bytes(int block) {
    return words[(block << LOG2_WORDS) + BYTES];
  }

  public long endAddress(int block) {
    return address(block) + bytes(block);
  }

  public long requestedBytes(int block) {
    return words[(block << LOG2_WORDS) + REQUESTED];
  }

  public void setRequestedBytes(int block, long bytes) {
    words[(block << LOG2_WORDS) + REQUESTED] = bytes;
  }

  @Override
  public int previous(int block) {
    return (int) (words[(block << LOG2_WORDS) + LINKS] >>> 32);
  }

  @Override
  public int next(int block) {
    return (int) words[(block << LOG2_WORDS) + LINKS];
  }

  private void setPrevious(int block, int previous) {
    int at = (block << LOG2_WORDS) + LINKS;
    words[at] = ((long) previous << 32) | (words[at] & LOW);
  }

  private void setNext(int block, int next) {
    int at = (block << LOG2_WORDS) + LINKS;
    words[at] = (words[at] & ~LOW) | next;
  }

  /** Whether another block, mapped or not, is in the same segment. */
  public boolean isSplit(int block) {
    return words[(block << LOG2_WORDS) + LINKS] != 0;
  }

  public int stream(int block) {
    return (int) (words[(block << LOG2_WORDS) + OWNER] >>> STREAM_SHIFT);
  }

  public int pool(int block) {
    return (int) (words[(block << LOG2_WORDS) + OWNER] >>> POOL_SHIFT) & POOL_MASK;
  }

  public int flags(int block) {
    return (int) words[(block << LOG2_WORDS) + OWNER] & POOL_MASK;
  }

  @Override
  public boolean isBlock(int block) {
    return block != NONE;
  }

  @Override
  public boolean isAllocated(int block) {
    return has(block, ALLOCATED);
  }

  /** Whether it is mapped and inactive, so that a freed neighbour coalesces with it. */
  @Override
  public boolean isFree(int block) {
    return has(block, MAPPED) && !has(block, ACTIVE);
  }

  public boolean has(int block, int flag) {
    return (words[(block << LOG2_WORDS) + OWNER] & flag) != 0;
  }

  public void set(int block, int flags) {
    words[(block << LOG2_WORDS) + OWNER] |= flags;
  }

  public void clear(int block, int flags) {
    words[(block << LOG2_WORDS) + OWNER] &= ~(long) flags;
  }

  public int segment(int block) {
    return (int) words[(block << LOG2_WORDS) + ORIGIN];
  }

  /** The registration of the segment, modulo {@link #REGISTRATION_MASK} + 1. */
  public long registration(int block) {
    return words[(block << LOG2_WORDS) + ORIGIN] >>> 32;
  }

  /** The number of searches of its pool when it became free. */
  public long ageBase(int block) {
    return words[(block << LOG2_WORDS) + AGE] >>> EVENTS_BITS;
  }

  public void setAgeBase(int block, long searches) {
    int at = (block << LOG2_WORDS) + AGE;
    words[at] = (searches << EVENTS_BITS) | (words[at] & EVENTS_MASK);
  }

  /** Events that must be complete before a freed block becomes inactive. */
  public int pendingEvents(int block) {
    return (int) (words[(block << LOG2_WORDS) + AGE] & EVENTS_MASK);
  }

  public void addPendingEvents(int block, int count) {
    words[(block << LOG2_WORDS) + AGE] += count;
  }

  public int firstUse(int block) {
    return (int) words[(block << LOG2_WORDS) + IDENTITY];
  }

  public void setFirstUse(int block, int use) {
    int at = (block << LOG2_WORDS) + IDENTITY;
    words[at] = (words[at] & ~LOW) | use;
  }

  /** The handle of an allocated block for clients. */
  public long handle(int block) {
    return (words[(block << LOG2_WORDS) + IDENTITY] & ~LOW) | block;
  }

  /** Makes the current handle of the block invalid. */
  public void retireHandle(int block) {
    int at = (block << LOG2_WORDS) + IDENTITY;
    long generation = ((words[at] >>> 32) + 1) & 0x7fff_ffffL;
    words[at] = (Math.max(generation, 1) << 32) | (words[at] & LOW);
  }

  /**
   * The allocated block with a handle.
   *
   * @throws IllegalArgumentException if it was freed or never existed
   */
  public int require(long handle) {
    return slot(words, handle);
  }

  /**
   * The address of the allocated block that a handle names. May be called without the lock: a block
   * does not move while it is allocated, and the thread that has the handle sees what {@code
   * allocate} wrote.
   *
   * @throws IllegalArgumentException if it was freed already or never existed; not guaranteed while
   *     another thread frees it
   */
  public long addressOf(long handle) {
    long[] w = (long[]) WORDS.getAcquire(this);
    return w[(slot(w, handle) << LOG2_WORDS) + ADDRESS];
  }

  private static int slot(long[] words, long handle) {
    int block = (int) handle;
    if (block <= 0
        || block >= words.length >> LOG2_WORDS
        || ((words[(block << LOG2_WORDS) + IDENTITY] ^ handle) >>> 32) != 0
        || (words[(block << LOG2_WORDS) + OWNER] & ALLOCATED) == 0) {
      throw new IllegalArgumentException(
          "No allocated block has the handle 0x"
              + Long.toHexString(handle)
              + "; it was freed already or comes from another allocator.");
    }
    return block;
  }
}
