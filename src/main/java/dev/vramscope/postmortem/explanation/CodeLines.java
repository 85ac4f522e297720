package dev.vramscope.postmortem.explanation;

import dev.vramscope.analysis.stacks.FrameKind;
import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.model.Frame;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.postmortem.cause.Request;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Names the lines of code in sentences: the innermost line of the program's own code, such as
 * {@code forward (model.py:18)}, linked to its allocations.
 */
final class CodeLines {
  private static final int MAX_NAME = 60;

  private final StackClasses stacks;

  CodeLines(StackClasses stacks) {
    this.stacks = stacks;
  }

  /** Whether the snapshot has any stack. */
  boolean isAnyRecorded() {
    return stacks.stacks().nodeCount() > 1;
  }

  /** Appends the line of a stack other than {@link StackTable#NONE}, as a link to its site. */
  void append(Sentence.Builder sentence, int stack) {
    sentence.code(name(stack), Target.Site.of(stack));
  }

  /** Appends " at" and the line of a stack, or that it is that of a backward pass. */
  void appendPlace(Sentence.Builder sentence, int stack) {
    if (stack == StackTable.NONE) {
      sentence.words(" in the backward pass");
    } else {
      append(sentence.words(" at "), stack);
    }
  }

  /** Appends the line that made a request, as a link to its whole stack. */
  void appendRequest(Sentence.Builder sentence, Request request) {
    sentence.code(name(request.stack()), new Target.Section(Target.Section.Name.REQUEST));
  }

  /** Appends the line that made a request, or without a stack the event of the request. */
  void appendLine(Sentence.Builder sentence, Request request) {
    if (request.stack() == StackTable.NONE) {
      sentence.link("this request", new Target.Event(request.event()));
    } else {
      appendRequest(sentence, request);
    }
  }

  /** The next outer line of the program's own code, if it is in a function. */
  OptionalInt caller(int stack) {
    StackTable table = stacks.stacks();
    int node = table.parent(stacks.siteOf(stack));
    while (node != StackTable.NONE) {
      if (stacks.kind(node) == FrameKind.USER) {
        return table.frame(node).name().equals("<module>")
            ? OptionalInt.empty()
            : OptionalInt.of(node);
      }
      node = table.parent(node);
    }
    return OptionalInt.empty();
  }

  /** The line of a library that explains the bytes of a stack. */
  OptionalInt libraryLine(int stack) {
    return stacks.libraryLine(stack);
  }

  /** An earlier failure whose exception still keeps memory at a request. */
  Optional<CaughtException> caughtBefore(Request request, Trace trace) {
    return CaughtException.before(request, trace, stacks.stacks());
  }

  /** Whether two stacks have the same line. */
  boolean isSameLine(int stack, int other) {
    return stack != StackTable.NONE && lineNumber(stack) == lineNumber(other);
  }

  /** The same number for the stacks of one line; -1 without a stack. */
  int lineNumber(int stack) {
    return stack == StackTable.NONE ? -1 : stacks.stacks().frameNumber(stacks.siteOf(stack));
  }

  /** All stacks of the snapshot. */
  StackTable stacks() {
    return stacks.stacks();
  }

  /** The line of a stack, such as {@code forward (model.py:18)}. */
  String name(int stack) {
    return nameOfFrame(stacks.siteOf(stack));
  }

  /** The innermost line of a stack, of whatever code. */
  String nameOfFrame(int stack) {
    Frame frame = stacks.stacks().frame(stack);
    String file = frame.file();
    String name = file.substring(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1);
    if (name.isEmpty() || name.equals("??")) {
      return shortened(frame.name());
    }
    String where = frame.line() > 0 ? shortened(name) + ":" + frame.line() : shortened(name);
    return shortened(frame.name()) + " (" + where + ")";
  }

  /** Names of C++ functions can have thousands of characters. */
  private static String shortened(String name) {
    return name.length() <= MAX_NAME
        ? name
        : name.substring(0, MAX_NAME / 2) + "…" + name.substring(name.length() - MAX_NAME / 3);
  }
}
