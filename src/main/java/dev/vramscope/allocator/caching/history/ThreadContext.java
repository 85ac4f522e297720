package dev.vramscope.allocator.caching.history;

import java.util.ArrayList;
import java.util.List;

/**
 * The texts that clients attach to the events of a thread: user metadata and a stack of compile
 * contexts. They are removed when the thread ends. An empty text means none.
 */
final class ThreadContext {
  private static final class Texts {
    private String metadata = "";
    private final List<String> compileContexts = new ArrayList<>();
  }

  private final ThreadLocal<Texts> current = ThreadLocal.withInitial(Texts::new);

  /** Added to the metadata of all threads during a named operation of the allocator. */
  private String operation = "";

  /** Whether a text was ever attached; until then no event needs a look-up. */
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

  /** Removes the innermost compile context of this thread, if there is one. */
  void popCompileContext() {
    List<String> contexts = current.get().compileContexts;
    if (!contexts.isEmpty()) {
      contexts.removeLast();
    }
  }

  /** The metadata of an event of this thread. */
  String metadata() {
    String metadata = current.get().metadata;
    if (operation.isEmpty()) {
      return metadata;
    }
    return metadata.isEmpty() ? operation : metadata + "\n" + operation;
  }

  /** The innermost compile context of this thread. */
  String compileContext() {
    List<String> contexts = current.get().compileContexts;
    return contexts.isEmpty() ? "" : contexts.getLast();
  }
}
