package dev.vramscope.postmortem.explanation;

import dev.vramscope.model.StackTable;
import dev.vramscope.postmortem.cause.Request;
import dev.vramscope.postmortem.explanation.Remedy.Effect;
import dev.vramscope.postmortem.explanation.Remedy.Kind;

/** What to do about memory that grows from step to step, or a step that needs more than others. */
final class StepRemedies {
  private final StepFacts facts;
  private final CodeLines code;

  /** Whether the program is one of JAX or TensorFlow. */
  private final boolean isOfXla;

  StepRemedies(StepFacts facts, CodeLines code, boolean isOfXla) {
    this.facts = facts;
    this.code = code;
    this.isOfXla = isOfXla;
  }

  /** Where growth comes from, and how to stop it. */
  Remedy stopKeeping(Effect effect) {
    boolean isKept = facts.steps().isKept();
    Sentence.Builder action =
        Sentence.of(isKept ? "Stop keeping tensors from one step to the next" : "Limit what grows");
    int loop = facts.suspects().sharedStack();
    if (loop != StackTable.NONE) {
      action.words(": look at ").code(code.name(loop));
      code.caller(loop).ifPresent(caller -> action.words(", called by ").code(code.name(caller)));
    }
    facts
        .largestSuspect()
        .filter(suspect -> !code.isSameLine(suspect.stack(), loop))
        .ifPresent(
            suspect -> {
              code.append(
                  action
                      .words(
                          isKept
                              ? ". The largest part of what stays was"
                              : ". The largest part was")
                      .words(" allocated by "),
                  suspect.stack());
              action.words(" (").bytes(suspect.liveBytes()).words(")");
            });
    if (isKept && isOfXla) {
      action
          .words(". A list of losses or outputs keeps every array on the device: store ")
          .code("float(loss)")
          .words(" or a copy in host memory (")
          .code("numpy.asarray(output)")
          .words(") instead.");
    } else if (isKept) {
      action
          .words(
              ". A list of losses or outputs keeps every tensor that it was computed from: store ")
          .code("loss.item()")
          .words(" or ")
          .code("output.detach().cpu()")
          .words(" instead.");
    } else {
      action
          .words(". Its blocks are not kept, but replaced by more or larger ones, as by ")
          .code(isOfXla ? "concatenate" : "torch.cat")
          .words(" or in a key-value cache: limit their length, or how many there are at a time.");
    }
    Sentence.Builder proof = new Sentence.Builder();
    if (isKept) {
      facts.appendGrowth(proof.words("Other changes only postpone the failure: "));
    } else {
      facts.appendGrowth(proof.words("Without it the request would have been served: "));
    }
    return Remedy.of(Kind.LEAK_LINE, effect, action, proof.words("."));
  }

  /** Which input to limit. */
  Remedy smallerStep(Request request, Effect effect) {
    Sentence.Builder action = Sentence.of("Make this step smaller: limit or split the input that ");
    code.appendLine(action, request);
    action.words(" gets, such as one long sequence or one large batch among smaller ones.");
    Sentence.Builder proof = Sentence.of("Steps of the earlier size fit: ");
    facts.appendPeaks(proof);
    return Remedy.of(Kind.SPIKE_LINE, effect, action, proof.words("."));
  }
}
