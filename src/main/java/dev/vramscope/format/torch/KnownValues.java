package dev.vramscope.format.torch;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.pickle.PickleTexts;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.PoolKind;
import dev.vramscope.model.TraceAction;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * String values with a fixed meaning, by their numbers in the text table, so that they are
 * recognized without creating a string.
 */
final class KnownValues {
  private final TraceAction[] actions;
  private final Map<Integer, BlockState> states = new HashMap<>();
  private final int small;
  private final int large;
  private final int notAvailable;
  private final int empty;
  private final int start;
  private final int end;

  KnownValues(PickleTexts texts) throws FormatException {
    int[] numbers = new int[TraceAction.values().length];
    for (TraceAction action : TraceAction.values()) {
      numbers[action.ordinal()] = texts.intern(action.torchName());
    }
    states.put(texts.intern("active_allocated"), BlockState.ALLOCATED);
    states.put(texts.intern("active_pending_free"), BlockState.PENDING_FREE);
    // The name in PyTorch's docstring; no known producer writes it.
    states.put(texts.intern("active_awaiting_free"), BlockState.PENDING_FREE);
    states.put(texts.intern("inactive"), BlockState.INACTIVE);
    small = texts.intern("small");
    large = texts.intern("large");
    notAvailable = texts.intern("N/A");
    empty = texts.intern("");
    start = texts.intern("START");
    end = texts.intern("END");
    actions = new TraceAction[texts.size()];
    Arrays.fill(actions, TraceAction.OTHER);
    for (TraceAction action : TraceAction.values()) {
      actions[numbers[action.ordinal()]] = action;
    }
  }

  TraceAction action(int text) {
    return text < actions.length ? actions[text] : TraceAction.OTHER;
  }

  /** The block state with a text number, or null if the text is not a state. */
  @Nullable BlockState state(int text) {
    return states.get(text);
  }

  /** The pool kind with a text number, or null if the text is not a pool kind. */
  @Nullable PoolKind kind(int text) {
    return text == small ? PoolKind.SMALL : text == large ? PoolKind.LARGE : null;
  }

  /** Whether a text is one that PyTorch writes for a missing value. */
  boolean isAbsent(int text) {
    return text == notAvailable || text == empty;
  }

  boolean isStart(int text) {
    return text == start;
  }

  boolean isEnd(int text) {
    return text == end;
  }
}
