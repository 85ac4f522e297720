package dev.vramscope.recorder;

import java.util.Arrays;
import java.util.Iterator;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The context of one thread: its open scopes, and the call stack captured for the current request.
 *
 * <pre>
 *   nodes[0..depth]        the context node of each open scope; nodes[0] = NONE
 *   cachedNames[hash]…     recently opened scopes: (parent node, name) → node
 * </pre>
 *
 * Used by its own thread only.
 */
final class RecordedThread implements Function<Stream<StackWalker.StackFrame>, Integer> {
  private static final StackWalker WALKER =
      StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);
  private static final int CACHE_SIZE = 256;

  private final FrameTable frames;
  private final ContextTree tree;
  private int[] nodes = new int[16];
  private RecordedScope[] scopes = new RecordedScope[0];
  private int depth;
  private final @Nullable String[] cachedNames = new String[CACHE_SIZE];
  private final int[] cachedParents = new int[CACHE_SIZE];
  private final int[] cachedNodes = new int[CACHE_SIZE];

  private int[] walked = new int[0];
  private int walkedCount;
  private int calls;
  private int stack = ContextTree.NONE;
  private boolean freeing;
  private long failure = Recorder.NO_EVENT;

  RecordedThread(FrameTable frames, ContextTree tree) {
    this.frames = frames;
    this.tree = tree;
  }

  // Scopes -------------------------------------------------------------------------------------

  RecordedScope open(String name) {
    int parent = nodes[depth];
    int at = (name.hashCode() ^ (parent * 0x9E3779B9)) & (CACHE_SIZE - 1);
    int node = cachedNodes[at];
    if (cachedParents[at] != parent || !name.equals(cachedNames[at])) {
      int frame = frames.scope(name);
      node = frame == FrameTable.NONE ? parent : tree.child(parent, frame);
      cachedNames[at] = name;
      cachedParents[at] = parent;
      cachedNodes[at] = node;
    }
    if (depth == scopes.length) {
      grow();
    }
    RecordedScope scope = scopes[depth++];
    nodes[depth] = node;
    return scope;
  }

  void closeTo(int openDepth) {
    depth = Math.min(depth, openDepth);
  }

  private void grow() {
    int length = Math.max(15, 2 * scopes.length);
    nodes = Arrays.copyOf(nodes, length + 1);
    int existing = scopes.length;
    scopes = Arrays.copyOf(scopes, length);
    for (int i = existing; i < length; i++) {
      scopes[i] = new RecordedScope(this, i);
    }
  }

  // Stacks -------------------------------------------------------------------------------------

  /** Counts a call. Returns true in one of {@code every} calls. */
  boolean isStackCall(int every) {
    if (++calls < every) {
      return false;
    }
    calls = 0;
    return true;
  }

  /** Captures the call stack, which is the {@link #context} until {@link #clearStack}. */
  void captureStack(HistorySettings settings) {
    if (walked.length != settings.maxFrames()) {
      walked = new int[settings.maxFrames()];
    }
    walkedCount = 0;
    WALKER.walk(this);
    int node = settings.contexts().hasScopes() ? nodes[depth] : ContextTree.NONE;
    for (int i = walkedCount - 1; i >= 0; i--) {
      node = tree.child(node, walked[i]);
    }
    stack = node;
  }

  void clearStack() {
    stack = ContextTree.NONE;
  }

  /** Whether the thread is inside a call that frees a block. */
  boolean isFreeing() {
    return freeing;
  }

  void beginFree() {
    freeing = true;
  }

  void endFree() {
    freeing = false;
    clearStack();
  }

  /**
   * Reads a stack into {@link #walked}, innermost frame first, without the recorder's own frames.
   */
  @Override
  public Integer apply(Stream<StackWalker.StackFrame> stackFrames) {
    Iterator<StackWalker.StackFrame> each = stackFrames.iterator();
    int count = 0;
    while (count < walked.length && each.hasNext()) {
      StackWalker.StackFrame frame = each.next();
      if (count == 0 && isOwn(frame.getDeclaringClass())) {
        continue;
      }
      int number = frames.number(frame);
      if (number != FrameTable.NONE) {
        walked[count++] = number;
      }
    }
    walkedCount = count;
    return 0;
  }

  private static boolean isOwn(Class<?> type) {
    return type == RecordedThread.class
        || type == Recorder.class
        || type == RecordedAllocator.class;
  }

  void setFailure(long event) {
    failure = event;
  }

  /** The event of the latest failed request since the previous call. */
  long takeFailure() {
    long event = failure;
    failure = Recorder.NO_EVENT;
    return event;
  }

  /** The present context of the thread. */
  int context(ContextKind kind) {
    if (stack != ContextTree.NONE) {
      return stack;
    }
    return kind.hasScopes() ? nodes[depth] : ContextTree.NONE;
  }
}
