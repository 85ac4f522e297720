package dev.vramscope.explain.torch;

import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.producer.Advice;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.producer.LogContext;
import dev.vramscope.explain.producer.ProgramPhase;

/** What helps a program on PyTorch, by what it did when the request failed. */
final class TorchRemedies {
  private final Conclusion.Builder conclusion;
  private final TorchBackend backend;
  private final LogContext context;
  private final ProgramPhase phase;
  private final boolean isBeforeExpandable;

  TorchRemedies(
      LogMessage message, Conclusion.Builder conclusion, LogContext context, ProgramPhase phase) {
    this.conclusion = conclusion;
    backend = TorchBackend.of(message);
    // The message of 2.1, which has expandable segments, says what is unallocated instead.
    isBeforeExpandable =
        message.quantity(FieldName.RESERVED).isPresent()
            && message.quantity(FieldName.UNALLOCATED).isEmpty();
    this.context = context;
    this.phase = phase;
  }

  /** What to do where the program holds too much; in a server, and while loading, little of it. */
  void holdLess(String missing) {
    boolean isServing = context.serving().isPresent();
    if (isServing && (phase == ProgramPhase.INFERENCE || phase == ProgramPhase.OTHER)) {
      conclusion.remedy(context.serving().get().smallerShare());
      conclusion.remedy(context.serving().get().lessAtOnce());
      return;
    }
    boolean isImage = context.imageProgram().isPresent();
    if (isImage && phase == ProgramPhase.LOADING) {
      conclusion.remedy(phase.lessMemory());
      conclusion.remedy(context.imageProgram().get().lessOnGpu());
      return;
    }
    if (isImage
        && (phase == ProgramPhase.INFERENCE
            || (phase == ProgramPhase.OTHER && context.imageProgram().get().onlyInfers()))) {
      conclusion.remedy(context.imageProgram().get().smallerImage());
      conclusion.remedy(context.imageProgram().get().lessOnGpu());
      return;
    }
    Advice less = phase.lessMemory();
    conclusion.remedy(
        missing.isEmpty()
            ? less.text()
            : "At least " + missing + " has to be freed, or not allocated. " + less.text(),
        less.code());
  }

  /** Expandable segments, unless they are on; where there are none, other settings. */
  void expandable() {
    if (context.isExpandableUnsupported()) {
      conclusion.certain(
          "The log says that expandable segments are not supported on this platform.");
      conclusion.remedy(backend.unsplitBlocks());
    } else if (isBeforeExpandable) {
      conclusion.remedy(backend.unsplitBlocks());
      conclusion.remedy(backend.newerWithExpandableSegments());
    } else if (!context.isExpandable()) {
      conclusion.remedy(backend.expandableSegments());
    }
  }
}
