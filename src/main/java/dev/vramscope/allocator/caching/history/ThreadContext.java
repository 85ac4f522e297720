package dev.vramscope.allocator.caching.history;

import java.util.ArrayList;
import java.util.List;

/**
 * Texts that clients attach to what they do: metadata, until changed, and a stack of compile
 * contexts. Each thread has its own, and they go with it. The empty text is none.
 */
final class ThreadContext {
  private static final class Current {
    private String metadata = "";
    private final List<String> compileContexts = new ArrayList<>();
  }

  private final ThreadLocal<Current> current = ThreadLocal.withInitial(Current::new);

  /** Overrides the metadata of all threads while the allocator does several steps of one thing. */
  private String operation = "";

  /** As long as nobody ever attached a text there is nothing to look up. */
  private boolean used;

  boolean isUsed() {
    return used;
  }

  void setMetadata(String text) {
    used |= !text.isEmpty();
    current.get().metadata = text;
  }

  void setOperation(String text) {
    used |= !text.isEmpty();
    operation = text;
  }

  void pushCompileContext(String text) {
    used |= !text.isEmpty();
    current.get().compileContexts.add(text);
  }

  /** Does nothing if there is none. */
  void popCompileContext() {
    List<String> contexts = current.get().compileContexts;
    if (!contexts.isEmpty()) {
      contexts.removeLast();
    }
  }

  /** What belongs to an event of this thread now. */
  String metadata() {
    return operation.isEmpty() ? current.get().metadata : operation;
  }

  /** The innermost one of this thread now. */
  String compileContext() {
    List<String> contexts = current.get().compileContexts;
    return contexts.isEmpty() ? "" : contexts.getLast();
  }
}
