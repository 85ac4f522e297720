package dev.vramscope.explain.xla;

import static dev.vramscope.explain.message.Amounts.isSurelyAtLeast;
import static dev.vramscope.explain.message.Amounts.isSurelyMore;
import static dev.vramscope.explain.message.Amounts.minus;
import static dev.vramscope.explain.message.Amounts.text;

import dev.vramscope.evidence.Quantity;
import dev.vramscope.explain.message.Amounts;
import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.message.MessageKind;
import dev.vramscope.explain.producer.Advice;
import dev.vramscope.explain.producer.CollectionAdvice;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.producer.Share;
import dev.vramscope.model.ByteText;
import java.util.Locale;
import java.util.Optional;

/** What follows from the reports of XLA for TPUs. */
final class TpuConclusion {
  private TpuConclusion() {}

  static Conclusion of(LogMessage message) {
    Conclusion.Builder conclusion = new Conclusion.Builder(message);
    MessageKind kind = message.kind();
    if (kind == Xla.XLA_TPU) {
      compiled(message, conclusion);
    } else if (kind == Xla.TPU_ON_CHIP) {
      onChip(message, conclusion);
    } else if (kind == Xla.XLA_TPU_RUNTIME) {
      runtime(message, conclusion);
    } else if (kind == Xla.XLA_SINGLE) {
      single(message, conclusion);
    } else {
      aborted(message, conclusion);
    }
    return conclusion.build();
  }

  private static void compiled(LogMessage message, Conclusion.Builder conclusion) {
    conclusion.sharesTitle("What the program needs");
    Optional<Quantity> used = message.quantity(FieldName.USED);
    Optional<Quantity> total = message.quantity(FieldName.TOTAL);
    Optional<Quantity> exceeded = message.quantity(FieldName.EXCEEDED);
    String space = message.written(FieldName.MEMORY_SPACE).orElse("memory");
    if (used.isEmpty() || total.isEmpty()) {
      conclusion
          .headline("A part of XLA’s list of the allocations of a program for a TPU.")
          .unknown("Whether the program fits: the line with its size and the TPU’s is missing.");
    } else if (isSurelyMore(total.get(), used.get())) {
      conclusion
          .headline("XLA reports a program that does not fit into " + space + ".")
          .certain(
              "The numbers contradict each other: the program uses "
                  + text(used.get())
                  + ", less than the "
                  + text(total.get())
                  + " that there are.")
          .unknown("Whether the program fits.");
    } else {
      conclusion
          .headline(
              "The program needs "
                  + text(used.get())
                  + " of "
                  + space
                  + "; the TPU has "
                  + text(total.get())
                  + ".")
          .certain(
              "The program was compiled and does not fit"
                  + exceeded.map(bytes -> ": it is " + text(bytes) + " too large").orElse("")
                  + ". It fails on every start, whatever else runs on the TPU; no setting of an"
                  + " allocator changes it.");
    }
    parts(message, conclusion);
    largest(message, conclusion);
    message
        .written(FieldName.OPERATION)
        .ifPresent(name -> conclusion.certain("The report names the operation " + name + "."));
    if (isMostlyPadding(message)) {
      padding(message, conclusion);
      conclusion.next(CollectionAdvice.JAX_ANALYSIS);
      return;
    }
    conclusion.remedy(
        "Compute activations again instead of keeping them. Compile with it and compare the size in"
            + " the report: no TPU time is needed for that.",
        "loss_fn = jax.checkpoint(loss_fn)");
    message
        .quantity(FieldName.ARGUMENTS)
        .filter(bytes -> bytes.bytes() > 0)
        .ifPresent(
            bytes ->
                conclusion.remedy(
                    "Donate the arguments that the program replaces, of "
                        + text(bytes)
                        + " in all.",
                    "train_step = jax.jit(train_step, donate_argnums=(0,))"));
    conclusion.remedy(
        "Divide the batch into smaller ones, or shard the largest arrays over more devices.", "");
    conclusion.next(CollectionAdvice.JAX_ANALYSIS);
  }

  /** Whether the padding of the largest allocation is most of what the program needs. */
  private static boolean isMostlyPadding(LogMessage message) {
    Optional<Quantity> padding = message.quantity(XlaForms.PADDING);
    Optional<Quantity> used = message.quantity(FieldName.USED);
    return padding.isPresent()
        && used.isPresent()
        && padding.get().bytes() > used.get().bytes() / 2;
  }

  private static void padding(LogMessage message, Conclusion.Builder conclusion) {
    conclusion
        .certain(
            text(message.quantity(XlaForms.PADDING).orElseThrow())
                + " of it is padding of one array"
                + message
                    .quantity(XlaForms.UNPADDED)
                    .map(bytes -> ", which has " + text(bytes) + " without it")
                    .orElse("")
                + message
                    .written(XlaForms.EXPANSION)
                    .map(times -> " (" + times.replace("x", " times") + ")")
                    .orElse("")
                + ": a TPU stores arrays in tiles, 128 elements wide, and a small last dimension is"
                + " padded to that width.")
        .remedy(
            "Avoid the shape with the small last dimension there: transpose or reshape the array so"
                + " that its last dimension is a multiple of 128, or create it on the CPU.",
            "")
        .remedy("Or shard this array over more devices.", "");
  }

  private static void onChip(LogMessage message, Conclusion.Builder conclusion) {
    String space = message.written(FieldName.MEMORY_SPACE).orElse("vmem");
    String what =
        switch (space) {
          case "vmem" -> "vector memory (VMEM)";
          case "smem" -> "scalar memory (SMEM)";
          default -> space.toUpperCase(Locale.ROOT);
        };
    Optional<Quantity> needed =
        message.quantity(FieldName.REQUESTED).or(() -> message.quantity(FieldName.USED));
    Optional<Quantity> limit =
        message.quantity(FieldName.LIMIT).or(() -> message.quantity(FieldName.TOTAL));
    conclusion
        .headline(
            "A kernel needs more "
                + what
                + " than the TPU has on the chip: "
                + needed.map(Amounts::text).orElse("more than there is")
                + limit.map(bytes -> " of " + text(bytes)).orElse("")
                + ".")
        .certain(
            "It is memory on the chip, in which one kernel works, not the memory of the device"
                + " (HBM): the text says nothing about how full that is."
                + message
                    .quantity(FieldName.EXCEEDED)
                    .map(bytes -> " The kernel exceeds it by " + text(bytes) + ".")
                    .orElse(""))
        .likely(
            "The kernel’s blocks or tables grow with the longest request or the number of pages,"
                + " and were not made for this size.")
        .remedy(
            "Use smaller blocks in the kernel; where a server chooses them, a shorter maximum"
                + " length or fewer sequences at once.",
            "--max-model-len 8192")
        .remedy("Or use a version of the kernel that knows this TPU.", "");
  }

  private static void parts(LogMessage message, Conclusion.Builder conclusion) {
    Optional<Quantity> program = message.quantity(FieldName.PROGRAM);
    Optional<Quantity> temporaries = message.quantity(FieldName.TEMPORARIES);
    conclusion.total(message.quantity(FieldName.USAGE));
    conclusion.share(
        Share.Kind.OUTSIDE, "Reserved by the system", message.quantity(FieldName.SYSTEM_RESERVED));
    conclusion.share(Share.Kind.ALLOCATED, "Arguments", message.quantity(FieldName.ARGUMENTS));
    conclusion.share(Share.Kind.TEMPORARY, "Temporaries of the program", temporaries);
    conclusion.share(
        Share.Kind.ALLOCATED,
        temporaries.isPresent() ? "The rest of the program" : "Program",
        minus(program, temporaries));
    if (program.isPresent()
        && temporaries.isPresent()
        && temporaries.get().bytes() > program.get().bytes() / 2) {
      conclusion.certain(
          text(temporaries.get())
              + " of the program’s "
              + text(program.get())
              + " are temporaries of its computation, not parameters.");
    }
  }

  private static void largest(LogMessage message, Conclusion.Builder conclusion) {
    message.fields().stream()
        .filter(field -> field.name() == FieldName.BUFFER && !field.of().isEmpty())
        .findFirst()
        .ifPresent(
            field ->
                conclusion.certain(
                    "The first listed allocation is " + field.written() + ": " + field.of() + "."));
  }

  private static void loading(String program, LogMessage message, Conclusion.Builder conclusion) {
    conclusion
        .headline(
            "The TPU had no memory to load the compiled program "
                + program
                + ": "
                + message.written(FieldName.REQUESTED).orElse("an unknown amount")
                + " have to be reserved for it.")
        .certain(
            "The memory is reserved at a fixed place for the program and its temporary memory while"
                + " it is loaded; what arrays hold already cannot be moved.")
        .likely(
            "Arrays, such as a KV cache that a server has taken at its start, left too little for"
                + " programs.")
        .remedy(
            "Leave more of the memory free for programs: give the KV cache a smaller share.",
            "--gpu-memory-utilization 0.8")
        .unknown("How much was free, and how much the arrays hold.")
        .next(CollectionAdvice.JAX_PROFILE);
  }

  private static void runtime(LogMessage message, Conclusion.Builder conclusion) {
    Optional<String> program = message.written(FieldName.PROGRAM);
    if (program.isPresent()) {
      loading(program.get(), message, conclusion);
      return;
    }
    conclusion.headline(
        "The TPU had no room for a buffer of "
            + message.written(FieldName.REQUESTED).orElse("unknown size")
            + ".");
    Optional<Quantity> requested = message.quantity(FieldName.REQUESTED);
    Optional<Quantity> free = message.quantity(FieldName.FREE);
    if (requested.isPresent() && free.isPresent()) {
      if (isSurelyMore(requested.get(), free.get())) {
        conclusion.certain(
            text(free.get()) + " were free, less than the request: the TPU is full.");
      } else if (isSurelyAtLeast(free.get(), requested.get())) {
        conclusion.certain(
            text(free.get()) + " were free, but not in one piece: the memory is fragmented.");
      } else {
        conclusion.likely(
            text(free.get())
                + " were free, about as much as the request: too little, or not in one piece.");
      }
    }
    conclusion
        .unknown("What holds the memory, and how large the TPU’s memory is.")
        .remedy(
            "Delete arrays that are not needed any more; references to old states keep them, and a"
                + " step without donation keeps the old state beside the new one.",
            "train_step = jax.jit(train_step, donate_argnums=(0,))")
        .next(CollectionAdvice.JAX_PROFILE);
  }

  private static void single(LogMessage message, Conclusion.Builder conclusion) {
    Optional<Quantity> requested = message.quantity(FieldName.REQUESTED);
    Optional<Quantity> total = message.quantity(FieldName.TOTAL);
    conclusion.headline(
        "XLA could not place one buffer of "
            + requested.map(bytes -> ByteText.of(bytes.bytes())).orElse("unknown size")
            + message.written(FieldName.SHAPE).map(shape -> ", " + shape).orElse("")
            + ".");
    if (requested.isPresent() && total.isPresent()) {
      if (isSurelyMore(requested.get(), total.get())) {
        conclusion.certain(
            "This one buffer is larger than the whole memory of the device, "
                + text(total.get())
                + ". Nothing but a smaller or sharded array helps.");
      } else {
        conclusion.certain(
            "The buffer alone would fit into the device’s "
                + text(total.get())
                + "; together with what was placed before, it does not.");
      }
    }
    message
        .written(FieldName.OPERATION)
        .ifPresent(name -> conclusion.certain("It is the " + name + "."));
    conclusion
        .unknown("Which line of the program the operation comes from.")
        .remedy("Shard the array over devices, or compute it in pieces.", "")
        .next(CollectionAdvice.JAX_ANALYSIS);
  }

  private static void aborted(LogMessage message, Conclusion.Builder conclusion) {
    conclusion
        .headline(
            "XLA gave up compiling: the program seems to need "
                + message.written(FieldName.REQUESTED).orElse("more memory than there is")
                + ", and "
                + message.written(FieldName.TOTAL).orElse("less")
                + " are available.")
        .certain("This is an estimate before the compilation, not a failed request.");
    if (message.quantity(FieldName.REQUESTED).isEmpty()
        && message.written(FieldName.REQUESTED).isPresent()) {
      conclusion.likely(
          "No program needs that much: a shape is wrong, or an intermediate array has the product"
              + " of two large dimensions.");
    }
    conclusion
        .unknown("Which operation needs it.")
        .next(
            new Advice(
                "Print the shapes in the traced program.", "print(jax.make_jaxpr(f)(*args))"));
  }
}
