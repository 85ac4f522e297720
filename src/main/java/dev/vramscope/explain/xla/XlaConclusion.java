package dev.vramscope.explain.xla;

import static dev.vramscope.explain.message.Amounts.isSurelyMore;
import static dev.vramscope.explain.message.Amounts.text;

import dev.vramscope.evidence.Quantity;
import dev.vramscope.explain.message.Amounts;
import dev.vramscope.explain.message.Field;
import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.producer.CollectionAdvice;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.producer.Share;
import dev.vramscope.model.ByteText;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What follows from a failed request of XLA, and from the buffers of its program. */
final class XlaConclusion {
  /** More than any GPU or TPU has, or will have soon. */
  private static final Quantity BEYOND_ANY_DEVICE = Quantity.exact(1L << 40);

  /** What XLA leaves of the largest device by default: a quarter. */
  private static final Quantity BEYOND_ANY_SHARE = Quantity.exact(48L << 30);

  /** The names of operations of a program that trains. */
  private static final Pattern BACKWARD = Pattern.compile("jvp\\(|grad|backward|train|loss");

  /** Names of operations that say where in the program they are. */
  private static final Pattern PATH = Pattern.compile("jit\\([^)]{1,80}\\)/[^/]{1,80}/[^/]{1,80}/");

  private final LogMessage message;
  private final Conclusion.Builder conclusion;
  private final Optional<Quantity> requested;
  private final Optional<Quantity> parameters;
  private final Optional<Quantity> outputs;
  private final Optional<Quantity> temporaries;
  private final Optional<Quantity> needed;

  private final Program program;

  /** Whether the text has the allocator's numbers too, with what follows from it. */
  private final boolean hasDump;

  private XlaConclusion(LogMessage message, List<LogMessage> all, Program program) {
    this.message = message;
    conclusion = new Conclusion.Builder(message).sharesTitle("What the program needs");
    requested = message.quantity(FieldName.REQUESTED);
    parameters = message.quantity(FieldName.PARAMETERS);
    outputs = message.quantity(FieldName.OUTPUTS);
    temporaries = message.quantity(FieldName.TEMPORARIES);
    needed = message.quantity(FieldName.TOTAL_NEEDED);
    hasDump =
        all.stream()
            .anyMatch(
                other -> other.kind() == Xla.BFC && other.quantity(FieldName.LIMIT).isPresent());
    this.program = program;
  }

  static Conclusion of(LogMessage message, List<LogMessage> all, Program program) {
    return new XlaConclusion(message, all, program).conclusion();
  }

  private Conclusion conclusion() {
    conclusion.headline(
        requested
            .map(bytes -> "XLA could not allocate " + ByteText.of(bytes.bytes()) + ".")
            .orElse("A part of XLA’s list of the buffers of a program that did not fit."));
    if (isBeyondAnyDevice()) {
      conclusion.certain(
          "No GPU or TPU has that much memory, so it is not about what else is live.");
      conclusion.likely(
          "An array has a shape that is not meant: a wrong dimension, or a broadcast of two arrays"
              + " that should have the same shape.");
      conclusion.remedy(
          "Look at the shape that the line of code in the traceback creates. An array that has to"
              + " be this large must be computed in pieces, or sharded over many devices.",
          "");
    }
    if (needed.isPresent()) {
      assignment();
    } else {
      conclusion.unknown(
          requested.isPresent()
              ? "Which buffers the program needs: the list that XLA writes after this line is not"
                  + " in the text."
              : "How much the program needs in all, and how large the request was: the beginning of"
                  + " the report is not in the text.");
    }
    buffers();
    if (!hasDump) {
      conclusion.unknown(
          "How much memory was free, how large the device is, and what else was live: XLA’s message"
              + " has none of it. The lines that bfc_allocator.cc writes before it do, if they are"
              + " kept.");
    }
    remedies();
    if (program == Program.JAX) {
      conclusion.next(CollectionAdvice.JAX_ANALYSIS);
    }
    if (!hasDump && program == Program.JAX) {
      conclusion.next(CollectionAdvice.JAX_PROFILE);
    }
    if (!hasDump) {
      conclusion.next(CollectionAdvice.BFC_DUMP);
    }
    return conclusion.build();
  }

  private boolean isBeyondAnyDevice() {
    return requested.filter(each -> isSurelyMore(each, BEYOND_ANY_DEVICE)).isPresent();
  }

  /** Whether one kind of buffers needs more than all; parameters may be outputs, too. */
  private boolean isContradictory() {
    return Stream.of(parameters, outputs, temporaries)
        .flatMap(Optional::stream)
        .anyMatch(part -> isSurelyMore(part, needed.orElseThrow()));
  }

  private void assignment() {
    if (isContradictory()) {
      conclusion.certain(
          "The numbers contradict each other: the program needs "
              + text(needed.orElseThrow())
              + " in all, less than one of its parts.");
      return;
    }
    conclusion.certain(
        "The compiled program needs "
            + text(needed.orElseThrow())
            + " at once: parameters "
            + parameters.map(Amounts::text).orElse("unknown")
            + ", outputs "
            + outputs.map(Amounts::text).orElse("unknown")
            + outputs.map(this::donated).orElse("")
            + ", temporaries "
            + temporaries.map(Amounts::text).orElse("unknown")
            + ".");
    conclusion.total(needed);
    conclusion.share(Share.Kind.ALLOCATED, "Parameters", parameters);
    conclusion.share(Share.Kind.ALLOCATED, "Constants", message.quantity(FieldName.CONSTANTS));
    conclusion.share(Share.Kind.ALLOCATED, "Outputs", outputs.map(this::besideParameters));
    conclusion.share(Share.Kind.TEMPORARY, "Temporaries", temporaries);
    if (requested.isPresent()
        && temporaries.isPresent()
        && temporaries.get().mayBe(requested.get().bytes())) {
      conclusion.likely(
          "The failed request is the program’s temporary memory, which XLA allocates as one piece:"
              + " the sizes are the same.");
    } else if (requested.isPresent()
        && outputs.isPresent()
        && outputs.get().mayBe(requested.get().bytes())) {
      conclusion.likely(
          "The failed request is the memory of the program’s outputs: the sizes are the same. The"
              + " device was nearly full before the program began.");
    }
  }

  /** XLA counts an output in the memory of a donated parameter as both, and once in the total. */
  private String donated(Quantity all) {
    Quantity reused = Amounts.difference(all, besideParameters(all));
    if (reused.leastBytes() <= 0) {
      return "";
    }
    return besideParameters(all).bytes() <= besideParameters(all).errorBytes()
        ? " (in the memory of donated parameters)"
        : " (of which " + text(reused) + " in the memory of donated parameters)";
  }

  /** Outputs without those that reuse parameters, which XLA counts as both. */
  private Quantity besideParameters(Quantity all) {
    Quantity sum =
        Stream.of(parameters, message.quantity(FieldName.CONSTANTS), temporaries)
            .flatMap(Optional::stream)
            .reduce(all, Quantity::plus);
    return isSurelyMore(sum, needed.orElseThrow())
        ? Amounts.difference(all, Amounts.difference(sum, needed.orElseThrow()))
        : all;
  }

  private void buffers() {
    message.fields().stream()
        .filter(field -> field.name() == FieldName.BUFFER && !field.of().isEmpty())
        .findFirst()
        .ifPresent(
            largest ->
                conclusion.certain(
                    "The largest listed buffer is "
                        + largest.written()
                        + ": "
                        + largest.of()
                        + "."));
  }

  /** Whether operations are listed, and none of a backward pass. */
  private boolean isForwardOnly() {
    List<String> operations =
        message.fields().stream()
            .filter(field -> field.name() == FieldName.BUFFER && PATH.matcher(field.of()).find())
            .map(Field::of)
            .toList();
    return !operations.isEmpty()
        && operations.stream().noneMatch(each -> BACKWARD.matcher(each).find());
  }

  private void remedies() {
    boolean isUsable = needed.isPresent() && !isContradictory();
    if (isUsable
        && temporaries.isPresent()
        && temporaries.get().bytes() > needed.get().bytes() / 2) {
      String share =
          "Temporaries are "
              + Math.round(100.0 * temporaries.get().bytes() / needed.get().bytes())
              + " % of the program. ";
      if (isForwardOnly()) {
        conclusion.remedy(
            share
                + "The listed operations are of a forward pass alone: shorter inputs, a smaller"
                + " batch, or the work in chunks make them smaller.",
            "jax.lax.map(f, chunks)");
      } else {
        conclusion.remedy(
            share
                + "Rematerialisation computes activations again instead of keeping them for the"
                + " backward pass; compare memory_analysis() with it and without.",
            "loss_fn = jax.checkpoint(loss_fn)");
      }
    }
    Optional<Quantity> beside = isUsable ? outputs.map(this::besideParameters) : outputs;
    if (isUsable
        && parameters.isPresent()
        && beside.isPresent()
        && parameters.get().bytes() > 0
        && beside.get().leastBytes() > needed.map(Quantity::bytes).orElse(0L) / 100) {
      long saved = Math.min(parameters.get().bytes(), beside.get().bytes());
      conclusion.remedy(
          "Donate the arguments that the program replaces, such as parameters and optimizer state:"
              + " outputs then reuse their memory, which saves at most "
              + ByteText.of(saved)
              + ".",
          "train_step = jax.jit(train_step, donate_argnums=(0,))");
    }
    if (requested.isPresent()
        && needed.isPresent()
        && isSurelyMore(needed.get(), requested.get())) {
      conclusion.remedy(
          "If the device has enough memory for the program but not for all else that is live,"
              + " delete what is not needed before the call: references to old states keep their"
              + " buffers.",
          "");
    }
    if (!hasDump && requested.filter(each -> isSurelyMore(each, BEYOND_ANY_SHARE)).isEmpty()) {
      BfcRemedies.add(conclusion, program, BfcCause.UNKNOWN);
    }
  }
}
