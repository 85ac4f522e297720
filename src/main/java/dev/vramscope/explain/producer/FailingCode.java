package dev.vramscope.explain.producer;

import dev.vramscope.analysis.stacks.FrameMatch;
import dev.vramscope.analysis.stacks.FrameRules;
import dev.vramscope.analysis.stacks.FrameRules.Category;
import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.model.Frame;
import dev.vramscope.model.StackTable;
import dev.vramscope.postmortem.program.ProgramPart;
import dev.vramscope.postmortem.program.RemedyRule;
import dev.vramscope.postmortem.program.RemedyRules;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;

/** The code whose request failed, from the traceback of a log, and the remedies for such code. */
public final class FailingCode {
  /** What a rule may be about if only the failing request is known, not what else is live. */
  private static final Set<ProgramPart> PARTS =
      EnumSet.of(ProgramPart.STEP, ProgramPart.FIRST_OPTIMIZER_STEP, ProgramPart.LIVE);

  /** Or about this, where results of several steps are put together: they are what grows. */
  private static final Set<ProgramPart> PARTS_OF_RESULTS =
      EnumSet.of(ProgramPart.STEP, ProgramPart.GROWTH, ProgramPart.LIVE);

  private final List<Frame> frames;
  private final StackClasses stacks;
  private final int stack;
  private final String source;

  private FailingCode(List<Frame> frames, String source, StackClasses stacks, int stack) {
    this.frames = frames;
    this.source = source;
    this.stacks = stacks;
    this.stack = stack;
  }

  /**
   * Classifies the frames of a traceback.
   *
   * @param outermostFirst at least one
   * @param source the line of code of the last frame; empty if it is not known
   */
  static FailingCode of(List<Frame> outermostFirst, String source) {
    StackTable.Builder table = new StackTable.Builder();
    int stack = table.stack(outermostFirst.reversed());
    return new FailingCode(
        outermostFirst, source, FrameRules.standard().classify(table.build()), stack);
  }

  private static final Pattern EVALUATION =
      Pattern.compile(
          "^_?(?:validat|evaluat|eval_|run_eval|run_valid|test_loop|val_epoch|val_step)");

  /** Functions that load a model: libraries name them alike. */
  private static final Set<String> LOADING =
      Set.of(
          "load_model",
          "load_weights",
          "create_weights",
          "initialize_model",
          "from_pretrained",
          "_from_pretrained",
          "load_checkpoint",
          "load_state_dict",
          "load_checkpoint_and_dispatch",
          "_load_state_dict_into_meta_model",
          "_load_pretrained_model",
          "_initialize_model",
          "dispatch_model",
          "load_lora_weights");

  /** The functions of a module that move it: {@code model.to("cuda")}. */
  private static final Set<String> MOVING = Set.of("_apply", "convert");

  /** Functions that run a model for its results. */
  private static final Pattern INFERENCE =
      Pattern.compile("^_?(?:generate|predict|infer|inference|denoise|transcribe)(?:_|$)");

  private static final Pattern CAPTURE = Pattern.compile("(?i)captur|cuda_?graph");

  /** People cut tracebacks; of a few frames, the callers may be missing. */
  private static final int LEAST_FRAMES = 3;

  private static final Pattern TRAINING =
      Pattern.compile(
          "(?:^|_)train(?:ing|_|$)|^_?fit(?:_|$)|backward|epoch|closure|^(?:_inner_)?training");

  private static final Pattern TRAINING_FILE =
      Pattern.compile("(?i)(?:^|_)(?:train|finetune|fine_tune|dreambooth|lora|sft|dpo|ppo|grpo)");

  /** A line of code that joins a list whose name is one of results. */
  private static final Pattern JOINED_RESULTS =
      Pattern.compile(
          "\\b(?:cat|concat|concatenate|stack|vstack|hstack)\\(\\s{0,4}(?:all_[A-Za-z_]{1,40}"
              + "|[A-Za-z_.]{0,40}(?i:preds|predictions|outputs|logits|results|scores)(?:_list)?)[,)]");

  /** What the program did. */
  public ProgramPhase phase() {
    if (isLoading()) {
      return ProgramPhase.LOADING;
    }
    if (isOptimizerState() || stacks.category(stack) == Category.OPTIMIZER) {
      return ProgramPhase.OPTIMIZER;
    }
    if (stacks.category(stack) == Category.OUTPUTS || isJoiningResults()) {
      return ProgramPhase.RESULTS;
    }
    if (isEvaluation()) {
      return ProgramPhase.EVALUATION;
    }
    boolean isInference =
        frames.stream().anyMatch(FailingCode::isInference)
            && frames.stream().noneMatch(FailingCode::isTraining);
    return isInference ? ProgramPhase.INFERENCE : ProgramPhase.OTHER;
  }

  /** Whether the code captures a CUDA graph, by the names of the functions. */
  public boolean isCapture() {
    return frames.stream().anyMatch(frame -> CAPTURE.matcher(frame.name()).find());
  }

  /** Whether enough is known of who called whom to say what was not going on. */
  public boolean isWhole() {
    return frames.size() >= LEAST_FRAMES;
  }

  /** In a model itself, parts of one step are joined. */
  private boolean isJoiningResults() {
    return JOINED_RESULTS.matcher(source).find()
        && frames.stream().noneMatch(frame -> frame.name().equals("forward") || isTraining(frame));
  }

  private static boolean isTraining(Frame frame) {
    String file = frame.file().replace('\\', '/');
    return TRAINING.matcher(frame.name()).find()
        || TRAINING_FILE.matcher(file.substring(file.lastIndexOf('/') + 1)).find();
  }

  private static boolean isInference(Frame frame) {
    return INFERENCE.matcher(frame.name()).find()
        || (frame.name().equals("__call__") && frame.file().contains("/pipelines/"));
  }

  private boolean isLoading() {
    boolean isLoading = false;
    for (Frame frame : frames) {
      if (frame.name().equals("forward") || frame.name().equals("backward")) {
        return false;
      }
      isLoading |=
          LOADING.contains(frame.name())
              || (MOVING.contains(frame.name()) && frame.file().endsWith("module.py"));
    }
    return isLoading;
  }

  /** Where the request was made, as a sentence. */
  public String sentence() {
    String line = name(stacks.siteOf(stack));
    if (isLoading()) {
      return "It failed while the model was loaded, at "
          + line
          + ": the memory is that of the weights, and nothing has been computed yet.";
    }
    if (stacks.isOptimizerState(stack)) {
      return "The request was made by an optimizer that makes its state"
          + library()
          + ", called by "
          + line
          + ": state for each trained parameter, which its first step makes and which stays.";
    }
    if (stacks.isBackward(stack)) {
      return "The request was made in a backward pass, called by "
          + line
          + ": it needs memory for gradients, beside what the forward pass keeps for it.";
    }
    if (phase() == ProgramPhase.RESULTS) {
      return "The request was made by "
          + line
          + library()
          + ", which joins results"
          + (isEvaluation() ? " of an evaluation" : "")
          + " that are kept on the GPU: the longer it runs, the more.";
    }
    return "The request was made by " + line + library() + ".";
  }

  private boolean isOptimizerState() {
    return stacks.isOptimizerState(stack);
  }

  /** Whether it is in a loop that evaluates a model, by the names of the functions. */
  private boolean isEvaluation() {
    return frames.stream().anyMatch(frame -> EVALUATION.matcher(frame.name()).find());
  }

  /**
   * What may help programs with such code; nothing in a log proves it.
   *
   * @param isServing whether the program computes forward passes only
   */
  public List<Advice> remedies(boolean isServing) {
    List<Advice> advice = new ArrayList<>();
    if (phase() == ProgramPhase.EVALUATION) {
      advice.add(
          new Advice(
              "It failed in an evaluation. If that runs without torch.no_grad(), every result is"
                  + " kept for a backward pass that never comes; model.eval() does not change that."
                  + " Use a smaller batch there if it does not.",
              "@torch.inference_mode()"));
    }
    if (frames.stream().anyMatch(frame -> isKeyValueCache(frame))) {
      advice.add(
          new Advice(
              "The cache of keys and values grows with each token of each sequence: compute fewer"
                  + " sequences at once, limit the tokens that are generated, or store the cache"
                  + " quantized or on the CPU.",
              "model.generate(…, max_new_tokens=512, cache_implementation=\"quantized\")"));
    }
    if (frames.stream().anyMatch(frame -> isScores(frame))) {
      advice.add(
          new Advice(
              "The scores of the attention grow with the square of the length (or of the image’s"
                  + " area): use an attention that does not hold them all.",
              "torch.nn.functional.scaled_dot_product_attention(q, k, v)  # or xFormers, slicing"));
    }
    ruled(isServing).forEach(advice::add);
    return advice;
  }

  private static boolean isKeyValueCache(Frame frame) {
    return frame.file().endsWith("cache_utils.py") || frame.name().contains("kv_cache");
  }

  private static boolean isScores(Frame frame) {
    return frame.name().contains("attention_scores") || frame.name().contains("attn_scores");
  }

  private List<Advice> ruled(boolean isServing) {
    Set<ProgramPart> parts = phase() == ProgramPhase.RESULTS ? PARTS_OF_RESULTS : PARTS;
    return RemedyRules.standard().stream()
        .filter(
            rule ->
                rule.condition().part() != ProgramPart.FIRST_OPTIMIZER_STEP || isOptimizerState())
        .filter(rule -> !isServing || !rule.text().action().contains("TrainingArguments"))
        .filter(rule -> parts.contains(rule.condition().part()))
        .filter(rule -> !rule.condition().frames().isEmpty())
        .filter(rule -> frame(rule.condition().without()).isEmpty())
        .filter(rule -> frame(rule.condition().frames()).isPresent())
        .map(this::advice)
        .toList();
  }

  private Advice advice(RemedyRule rule) {
    String line = name(stacks.siteOf(stack));
    String action =
        rule.text()
            .action()
            .replace("`", "")
            .replace("{line}", line)
            .replace("{caller}", line)
            .replace("{frame}", name(frame(rule.condition().frames()).orElse(stack)));
    return new Advice(action + ". " + rule.text().price(), "");
  }

  private OptionalInt frame(List<FrameMatch> conditions) {
    return FrameMatch.innermost(conditions, stack, stacks.stacks());
  }

  /** " at softmax (functional.py:2215)": the line of a library, if it says more. */
  private String library() {
    OptionalInt line = stacks.libraryLine(stack);
    return line.isPresent() ? " at " + name(line.getAsInt()) : "";
  }

  private String name(int node) {
    Frame frame = stacks.stacks().frame(node);
    String file = frame.file().replace('\\', '/');
    return frame.name()
        + " ("
        + file.substring(file.lastIndexOf('/') + 1)
        + ":"
        + frame.line()
        + ")";
  }
}
