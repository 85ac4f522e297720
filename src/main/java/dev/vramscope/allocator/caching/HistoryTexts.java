package dev.vramscope.allocator.caching;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Texts that clients attach to what they do: metadata, until changed, and a stack of compile
 * contexts. Each thread has its own. Texts are kept once and numbered; 0 is no text.
 */
final class HistoryTexts {
  static final int NONE = 0;

  private static final class Current {
    private int metadata;
    private final List<Integer> compileContexts = new ArrayList<>();

    private int compileContext() {
      return compileContexts.isEmpty() ? NONE : compileContexts.getLast();
    }
  }

  private final ThreadLocal<Current> current = ThreadLocal.withInitial(Current::new);
  private final List<String> texts = new ArrayList<>(List.of(""));
  private final Map<String, Integer> numbers = new HashMap<>(Map.of("", NONE));

  /** Overrides the metadata of all threads while the allocator does several steps of one thing. */
  private int operation;

  int number(String text) {
    return numbers.computeIfAbsent(
        text,
        t -> {
          texts.add(t);
          return texts.size() - 1;
        });
  }

  String text(int number) {
    return texts.get(number);
  }

  void setMetadata(String text) {
    current.get().metadata = number(text);
  }

  void setOperation(String text) {
    operation = number(text);
  }

  void pushCompileContext(String text) {
    current.get().compileContexts.add(number(text));
  }

  /** Does nothing if there is none. */
  void popCompileContext() {
    List<Integer> contexts = current.get().compileContexts;
    if (!contexts.isEmpty()) {
      contexts.removeLast();
    }
  }

  /** What belongs to an event of this thread now: metadata (32) | compile context (32). */
  long ofEvent() {
    // As long as nobody ever attached a text there is nothing to look up.
    if (texts.size() == 1) {
      return 0;
    }
    Current own = current.get();
    return pack(operation != NONE ? operation : own.metadata, own.compileContext());
  }

  /** The same, with a metadata text of its own. */
  long ofEvent(String metadata) {
    return pack(number(metadata), current.get().compileContext());
  }

  private static long pack(int metadata, int compileContext) {
    return ((long) metadata << 32) | compileContext;
  }
}
