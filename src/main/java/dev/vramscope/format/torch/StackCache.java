package dev.vramscope.format.torch;

import dev.vramscope.format.ReadLimits;
import dev.vramscope.model.StackTable;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Caches stacks by their sequence of frames. A trace repeats few stacks many times: hashing and
 * comparing a sequence of 20 numbers takes about 20 ns, walking the prefix tree ten times as long.
 *
 * <pre>
 *   entry n: sequence = arena[starts[n] .. starts[n + 1]), its hash, its id in the StackTable
 *   slots: open addressing with a seeded hash; a slot holds n + 1
 * </pre>
 *
 * When the arena is full, further sequences are not cached.
 */
final class StackCache {
  private final long seed = new SplittableRandom().nextLong() | 1;
  private final StackTable.Builder stacks;
  private final int maxArena;
  private int[] arena = new int[1 << 12];
  private int[] starts = new int[256];
  private int[] hashes = new int[256];
  private int[] ids = new int[256];
  private int[] slots = new int[1024];
  private int size;

  StackCache(StackTable.Builder stacks, ReadLimits limits) {
    this.stacks = stacks;
    this.maxArena = limits.maxStackNodes();
  }

  /** The stack of the frames {@code numbers[0..count)}, innermost first. */
  int stack(int[] numbers, int count) {
    int hash = hash(numbers, count);
    int mask = slots.length - 1;
    int slot = hash & mask;
    for (; slots[slot] != 0; slot = (slot + 1) & mask) {
      int entry = slots[slot] - 1;
      if (hashes[entry] == hash
          && Arrays.equals(arena, starts[entry], starts[entry + 1], numbers, 0, count)) {
        return ids[entry];
      }
    }
    int id = stacks.stack(numbers, 0, count);
    if (starts[size] + (long) count <= maxArena) {
      add(slot, numbers, count, hash, id);
    }
    return id;
  }

  private void add(int slot, int[] numbers, int count, int hash, int id) {
    int end = starts[size] + count;
    if (end > arena.length) {
      arena = Arrays.copyOf(arena, Math.clamp(2L * end, end, Integer.MAX_VALUE - 8));
    }
    System.arraycopy(numbers, 0, arena, starts[size], count);
    if (size + 1 == starts.length) {
      starts = Arrays.copyOf(starts, size * 2 + 2);
      hashes = Arrays.copyOf(hashes, size * 2 + 2);
      ids = Arrays.copyOf(ids, size * 2 + 2);
    }
    hashes[size] = hash;
    ids[size] = id;
    starts[++size] = end;
    slots[slot] = size;
    if (size * 2 > slots.length) {
      rehash();
    }
  }

  private void rehash() {
    slots = new int[slots.length * 4];
    int mask = slots.length - 1;
    for (int entry = 0; entry < size; entry++) {
      int slot = hashes[entry] & mask;
      while (slots[slot] != 0) {
        slot = (slot + 1) & mask;
      }
      slots[slot] = entry + 1;
    }
  }

  private int hash(int[] numbers, int count) {
    long mixed = seed + count;
    int i = 0;
    for (; i + 1 < count; i += 2) {
      mixed = (mixed ^ ((long) numbers[i] << 32 | numbers[i + 1])) * seed;
      mixed ^= mixed >>> 29;
    }
    if (i < count) {
      mixed = (mixed ^ numbers[i]) * seed;
    }
    return (int) (mixed ^ mixed >>> 32);
  }
}
