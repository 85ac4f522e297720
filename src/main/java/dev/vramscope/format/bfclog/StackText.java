package dev.vramscope.format.bfclog;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.FormatException.Reason;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.model.Frame;
import dev.vramscope.model.StackTable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The stacks of a log. They follow the line that they belong to, a function in each line, and end
 * with a line of their own or with the next one of the log; builds without debug information write
 * none.
 */
final class StackText {
  private static final String END = "*** End stack trace ***";
  private static final int MAX_FRAMES = 200;
  private static final int MAX_NAME = 1000;

  private final ReadLimits limits;
  private final StackTable.Builder stacks = new StackTable.Builder();
  private final List<Frame> frames = new ArrayList<>();
  private @Nullable IntConsumer owner;
  private boolean hasFrames;
  private int nodes;

  StackText(ReadLimits limits) {
    this.limits = limits;
  }

  /** A stack may follow; what it belongs to gets its id. */
  void begin(IntConsumer sink) {
    owner = sink;
    frames.clear();
  }

  /** A line without the head of a log line. */
  void add(String line) throws FormatException {
    if (owner == null) {
      return;
    }
    if (line.contains(END) || !line.startsWith("\t")) {
      end();
    } else if (frames.size() < MAX_FRAMES) {
      String name = line.strip();
      if (!name.isEmpty() && !name.contains("CurrentStackTrace")) {
        frames.add(new Frame(name.length() > MAX_NAME ? name.substring(0, MAX_NAME) : name, "", 0));
      }
    }
  }

  /** No more frames follow. */
  void end() throws FormatException {
    IntConsumer sink = owner;
    owner = null;
    if (sink != null && !frames.isEmpty()) {
      hasFrames = true;
      sink.accept(stack(frames));
    }
    frames.clear();
  }

  /** The stack of an operation that a message names. */
  int operation(String name) throws FormatException {
    return stack(List.of(new Frame(name, "", 0)));
  }

  private int stack(List<Frame> innermostFirst) throws FormatException {
    int stack = stacks.stack(innermostFirst);
    nodes = Math.max(nodes, stack);
    if (nodes >= limits.maxStackNodes()) {
      throw new FormatException(
          Reason.TOO_LARGE,
          "the log has more than " + limits.maxStackNodes() + " functions in its stacks",
          "",
          "Write it at level 3, or start the server with a larger heap (-Xmx).");
    }
    return stack;
  }

  /** Whether any request has a stack. */
  boolean hasFrames() {
    return hasFrames;
  }

  StackTable table() {
    return stacks.build();
  }
}
