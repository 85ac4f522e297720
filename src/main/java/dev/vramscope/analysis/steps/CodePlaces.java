package dev.vramscope.analysis.steps;

import dev.vramscope.analysis.stacks.FrameRules;
import dev.vramscope.analysis.stacks.FrameRules.Trait;
import dev.vramscope.model.Frame;
import dev.vramscope.model.StackTable;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The stacks of a program, cut to the code in which its main loops are: without C++ frames, and
 * only up to the first call of a model, an optimizer, or the like.
 *
 * <pre>
 *   main:31 ── train:17 ── _call_impl:1775 ── forward:80 ── c10::...        a stack
 *   main:31 ── train:17 ── _call_impl                                       its place
 * </pre>
 *
 * A place is a node of the stack table; places that differ only in the line of the call at which
 * they are cut are one.
 */
final class CodePlaces {
  /** No place: a stack without Python frames, or one that begins inside a call of a model. */
  static final int NONE = StackTable.NONE;

  private final int[] places;
  private final int[] callers;
  private final int[] functions;
  private final int[] lines;
  private final int[] depths;
  private final BitSet model = new BitSet();
  private final BitSet backward = new BitSet();
  private final BitSet optimizer = new BitSet();
  private boolean hasModules;

  CodePlaces(StackTable stacks, FrameRules rules) {
    int count = stacks.nodeCount();
    places = new int[count];
    callers = new int[count];
    functions = new int[count];
    lines = new int[count];
    depths = new int[count];
    Frames frames = new Frames(stacks.frames(), rules);
    boolean[] isCut = new boolean[count];
    Map<Long, Integer> cuts = new HashMap<>();
    // A parent has a smaller id, so its place is already known.
    for (int node = 1; node < count; node++) {
      int parent = stacks.parent(node);
      int frame = stacks.frameNumber(node);
      model.set(node, model.get(parent) || frames.isModel[frame]);
      backward.set(node, backward.get(parent) || frames.isBackward[frame]);
      // A closure that an optimizer calls runs the model.
      optimizer.set(
          node, frames.isOptimizer[frame] || (optimizer.get(parent) && !frames.isModel[frame]));
      hasModules |= frames.isModule[frame];
      isCut[node] = isCut[parent];
      if (isCut[parent] || !frames.isPython[frame]) {
        places[node] = places[parent];
        continue;
      }
      isCut[node] = frames.isInside[frame];
      if (isCut[node] && places[parent] == NONE) {
        places[node] = NONE; // A thread of the backward pass, which runs a part of the model again.
        continue;
      }
      int place = node;
      if (isCut[node]) {
        long key = ((long) places[parent] << Integer.SIZE) | frames.function[frame];
        Integer first = cuts.putIfAbsent(key, node);
        place = first == null ? node : first;
      }
      places[node] = place;
      if (place == node) {
        callers[node] = places[parent];
        functions[node] = frames.function[frame];
        lines[node] = isCut[node] ? 0 : frames.line[frame];
        depths[node] = depths[places[parent]] + 1;
      }
    }
  }

  /** The place of a stack. */
  int of(int stack) {
    return places[stack];
  }

  /** The place that calls a place; {@link #NONE} for an outermost one. */
  int caller(int place) {
    return callers[place];
  }

  /** The number of the function of a place. */
  int function(int place) {
    return functions[place];
  }

  /** The line of a place in its function; 0 where the stack is cut. */
  int line(int place) {
    return lines[place];
  }

  /** The number of frames of a place. */
  int depth(int place) {
    return depths[place];
  }

  /** Whether a stack is inside a call of a model. */
  boolean isModel(int stack) {
    return model.get(stack);
  }

  /** The stacks inside calls of a model. */
  BitSet modelStacks() {
    return model;
  }

  /** Whether a stack belongs to the backward pass, whose own thread has no stacks. */
  boolean isBackward(int stack) {
    return stack == StackTable.NONE || backward.get(stack);
  }

  /** Whether a stack belongs to an optimizer. */
  boolean isOptimizer(int stack) {
    return optimizer.get(stack);
  }

  /** Whether the stacks show calls of PyTorch's modules, so that a call of a model is known. */
  boolean hasModules() {
    return hasModules;
  }

  /** What is known of each frame, its function as a number. */
  private static final class Frames {
    private final boolean[] isPython;
    private final boolean[] isInside;
    private final boolean[] isModel;
    private final boolean[] isModule;
    private final boolean[] isBackward;
    private final boolean[] isOptimizer;
    private final int[] function;
    private final int[] line;

    Frames(List<Frame> frames, FrameRules rules) {
      int count = frames.size();
      isPython = new boolean[count];
      isInside = new boolean[count];
      isModel = new boolean[count];
      isModule = new boolean[count];
      isBackward = new boolean[count];
      isOptimizer = new boolean[count];
      function = new int[count];
      line = new int[count];
      // Texts are comparable, so that equal hash codes, of which a file could be full, cost little.
      Map<String, Map<String, Integer>> numbers = new HashMap<>();
      int next = 0;
      for (int i = 0; i < count; i++) {
        Frame frame = frames.get(i);
        isPython[i] = frame.file().endsWith(".py") || frame.file().startsWith("<");
        isInside[i] = rules.has(Trait.INSIDE, frame);
        isModel[i] = rules.has(Trait.MODEL, frame);
        isModule[i] = rules.has(Trait.MODULE, frame);
        isBackward[i] = rules.has(Trait.BACKWARD, frame);
        isOptimizer[i] = rules.category(frame) == FrameRules.Category.OPTIMIZER;
        Map<String, Integer> ofFile = numbers.computeIfAbsent(frame.file(), _ -> new HashMap<>());
        Integer number = ofFile.putIfAbsent(frame.name(), next);
        function[i] = number == null ? next++ : number;
        line[i] = frame.line();
      }
    }
  }
}
