package dev.vramscope.format.torch;

import dev.vramscope.format.pickle.PickleTexts;
import dev.vramscope.model.Frame;
import dev.vramscope.model.FxNode;
import dev.vramscope.model.StackTable;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Interns frames by their text numbers and line, so that a repeated frame creates no object: JSON
 * files contain every frame in full at each occurrence.
 *
 * <pre>
 *   entry n = keys[7n .. 7n + 7): name, filename, line, op, node name, target, original trace
 *             numbers[n]: its number in the StackTable
 *   slots: open addressing with a seeded hash; a slot holds n + 1
 * </pre>
 */
final class TorchFrames {
  /** The number of ints per frame. */
  static final int WIDTH = 7;

  /** The text number of a missing text. */
  static final int NO_TEXT = -1;

  static final int NAME = 0;
  static final int FILENAME = 1;
  static final int LINE = 2;
  static final int FX_OP = 3;
  static final int FX_NAME = 4;
  static final int FX_TARGET = 5;
  static final int FX_TRACE = 6;

  private final long seed = new SplittableRandom().nextLong() | 1;
  private final StackTable.Builder stacks;
  private final PickleTexts texts;
  private int[] keys = new int[WIDTH * 256];
  private int[] numbers = new int[256];
  private int[] slots = new int[1024];
  private int size;

  TorchFrames(StackTable.Builder stacks, PickleTexts texts) {
    this.stacks = stacks;
    this.texts = texts;
  }

  /** The stack table number of the frame with these {@link #WIDTH} ints. */
  int number(int[] frame) {
    int mask = slots.length - 1;
    int slot = hash(frame, 0) & mask;
    for (; slots[slot] != 0; slot = (slot + 1) & mask) {
      int start = (slots[slot] - 1) * WIDTH;
      if (Arrays.equals(keys, start, start + WIDTH, frame, 0, WIDTH)) {
        return numbers[slots[slot] - 1];
      }
    }
    int number = stacks.newFrame(frame(frame));
    add(slot, frame, number);
    return number;
  }

  private void add(int slot, int[] frame, int number) {
    if (size == numbers.length) {
      keys = Arrays.copyOf(keys, keys.length * 2);
      numbers = Arrays.copyOf(numbers, size * 2);
    }
    System.arraycopy(frame, 0, keys, size * WIDTH, WIDTH);
    numbers[size++] = number;
    slots[slot] = size;
    if (size * 2 > slots.length) {
      rehash();
    }
  }

  private void rehash() {
    slots = new int[slots.length * 4];
    int mask = slots.length - 1;
    for (int entry = 0; entry < size; entry++) {
      int slot = hash(keys, entry * WIDTH) & mask;
      while (slots[slot] != 0) {
        slot = (slot + 1) & mask;
      }
      slots[slot] = entry + 1;
    }
  }

  private Frame frame(int[] frame) {
    boolean traced = false;
    for (int i = FX_OP; i <= FX_TRACE; i++) {
      traced |= frame[i] != NO_TEXT;
    }
    FxNode node =
        traced
            ? new FxNode(
                text(frame[FX_OP]),
                text(frame[FX_NAME]),
                text(frame[FX_TARGET]),
                text(frame[FX_TRACE]))
            : null;
    return new Frame(text(frame[NAME]), text(frame[FILENAME]), frame[LINE], node);
  }

  private String text(int number) {
    return number == NO_TEXT ? "" : texts.text(number);
  }

  private int hash(int[] from, int start) {
    long mixed = seed;
    for (int i = start; i < start + WIDTH; i++) {
      mixed = (mixed ^ from[i]) * seed;
      mixed ^= mixed >>> 32;
    }
    return (int) mixed;
  }
}
