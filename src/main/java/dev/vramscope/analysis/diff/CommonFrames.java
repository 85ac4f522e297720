package dev.vramscope.analysis.diff;

import dev.vramscope.model.Frame;
import dev.vramscope.model.StackTable;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Numbers the frames of two stack tables so that the same place in the code has the same number.
 *
 * <p>Frames are the same if function, file and line are equal. Of the others, those are the same
 * whose paths differ only in the leading folders, as on two machines or in two checkouts: first by
 * the last two components of the path, then by the last one, if that is unambiguous.
 */
final class CommonFrames {
  private static final int NONE = -1;

  /** More different frames than programs have: such files are compared by whole paths only. */
  static final int MAX_UNITED = 200_000;

  private final int[] before;
  private final int[] after;
  private int count;

  private CommonFrames(int beforeCount, int afterCount) {
    before = new int[beforeCount];
    after = new int[afterCount];
  }

  static CommonFrames of(StackTable before, StackTable after) {
    CommonFrames common = new CommonFrames(before.frames().size(), after.frames().size());
    if (before == after) {
      Arrays.setAll(common.before, frame -> frame);
      Arrays.setAll(common.after, frame -> frame);
      common.count = common.before.length;
      return common;
    }
    common.number(before.frames(), after.frames());
    if (common.count <= MAX_UNITED) {
      common.unite(before.frames(), after.frames(), 2);
      common.unite(before.frames(), after.frames(), 1);
    }
    return common;
  }

  private void number(List<Frame> beforeFrames, List<Frame> afterFrames) {
    Map<SourcePlace, Integer> numbers = HashMap.newHashMap(Math.max(before.length, after.length));
    for (int frame = 0; frame < before.length; frame++) {
      before[frame] =
          numbers.computeIfAbsent(SourcePlace.of(beforeFrames.get(frame)), _ -> count++);
    }
    for (int frame = 0; frame < after.length; frame++) {
      after[frame] = numbers.computeIfAbsent(SourcePlace.of(afterFrames.get(frame)), _ -> count++);
    }
  }

  /** Gives the same number to frames of one side each that agree in the end of their path. */
  private void unite(List<Frame> beforeFrames, List<Frame> afterFrames, int components) {
    int[] frameBefore = firstFrames(before);
    int[] frameAfter = firstFrames(after);
    Pairs pairs = new Pairs();
    for (int number = 0; number < count; number++) {
      if (frameAfter[number] == NONE && frameBefore[number] != NONE) {
        pairs.addBefore(place(beforeFrames.get(frameBefore[number]), components), number);
      } else if (frameBefore[number] == NONE && frameAfter[number] != NONE) {
        pairs.addAfter(place(afterFrames.get(frameAfter[number]), components), number);
      }
    }
    int[] united = new int[count];
    Arrays.setAll(united, number -> number);
    pairs.forEach((_, first, second) -> united[second] = first);
    Arrays.setAll(after, frame -> united[after[frame]]);
  }

  private static SourcePlace place(Frame frame, int components) {
    return SourcePlace.of(frame, components, frame.line());
  }

  /** By number its first frame, or {@link #NONE}. */
  private int[] firstFrames(int[] numbers) {
    int[] frames = new int[count];
    Arrays.fill(frames, NONE);
    for (int frame = numbers.length - 1; frame >= 0; frame--) {
      frames[numbers[frame]] = frame;
    }
    return frames;
  }

  /** Numbers are 0 to this, exclusive. */
  int count() {
    return count;
  }

  /** The number of a frame of the first table. */
  int before(int frame) {
    return before[frame];
  }

  /** The number of a frame of the second table. */
  int after(int frame) {
    return after[frame];
  }
}
