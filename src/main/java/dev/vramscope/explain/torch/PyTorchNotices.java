package dev.vramscope.explain.torch;

import static dev.vramscope.explain.message.Amounts.text;
import static dev.vramscope.explain.reading.MessageForm.SIZE;

import dev.vramscope.evidence.Quantity;
import dev.vramscope.evidence.TorchPhrases;
import dev.vramscope.explain.message.Amounts;
import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.message.Memory;
import dev.vramscope.explain.message.MessageKind;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.producer.Facts;
import dev.vramscope.explain.producer.LogContext;
import dev.vramscope.explain.producer.MessageProducer;
import dev.vramscope.explain.producer.Share;
import dev.vramscope.explain.reading.MessageForm;
import java.util.List;
import java.util.Optional;

/** Limits of one allocation, and what programs on PyTorch say of its memory. */
public final class PyTorchNotices implements MessageProducer {
  private static final MessageKind ONE_ALLOCATION =
      MessageKind.failure(
          "xpu-one-allocation",
          Memory.DEVICE,
          "PyTorch",
          "a request above the limit of one allocation");

  private static final MessageKind UNLOADED =
      MessageKind.notice(
          "comfyui-unloaded", Memory.DEVICE, "ComfyUI", "what ComfyUI does after a failure");

  private static final MessageKind TILED =
      MessageKind.warning(
          "comfyui-tiled", Memory.DEVICE, "ComfyUI", "a failure that ComfyUI works around");

  private static final MessageKind DEEPSPEED =
      MessageKind.context(
          "deepspeed-memory", Memory.DEVICE, "DeepSpeed", "what DeepSpeed says of the memory");

  private static final MessageKind FLUSHED =
      MessageKind.warning(
          "deepspeed-cache-flush",
          Memory.DEVICE,
          "PyTorch’s caching allocator",
          "a warning of DeepSpeed that PyTorch’s allocator emptied its cache");

  private static final FieldName FLUSHES = new FieldName("flushes", "Cache flushes in a step");

  private static final FieldName MOST_CACHED =
      new FieldName("cached-peak", "Cached by the allocator, peak");

  @Override
  public String name() {
    return "Intel’s GPUs in PyTorch, ComfyUI, DeepSpeed";
  }

  @Override
  public List<MessageForm> forms() {
    return List.of(
        MessageForm.of(
                ONE_ALLOCATION,
                "can NOT allocate memory block with size larger than [0-9]",
                "can NOT allocate memory block")
            .bytes(FieldName.LIMIT, "size larger than " + SIZE)
            .bytes(FieldName.REQUESTED, TorchPhrases.REQUESTED)
            .words(FieldName.DEVICE, TorchPhrases.device("[GX]"))
            .bytes(FieldName.TOTAL, TorchPhrases.TOTAL)
            .bytes(FieldName.ALLOCATED, TorchPhrases.ALLOCATED)
            .bytes(FieldName.RESERVED, TorchPhrases.RESERVED),
        MessageForm.of(
            TILED,
            "Ran out of memory when regular VAE (?:en|de)coding",
            "Ran out of memory when regular VAE"),
        MessageForm.of(
            UNLOADED, "Got an OOM, unloading all loaded models", "Got an OOM, unloading"),
        MessageForm.of(
                FLUSHED,
                "[0-9]{1,9} pytorch allocator cache flushes since last step",
                "pytorch allocator cache flushes")
            .words(FLUSHES, "([0-9]{1,9}) pytorch allocator cache flushes"),
        MessageForm.of(DEEPSPEED, "(?!)")
            .part(
                "\\bMA [0-9.]{1,12} ?[A-Za-z]{1,5} {0,9}Max_MA [0-9]"
                    + "|CPU Virtual Memory: {1,9}used = [0-9]",
                "Max_MA ",
                "CPU Virtual Memory:")
            .bytes(FieldName.ALLOCATED, "\\bMA " + SIZE)
            .bytes(FieldName.ALLOCATED_PEAK, "Max_MA " + SIZE)
            .bytes(FieldName.CACHED, "\\bCA " + SIZE)
            .bytes(MOST_CACHED, "Max_CA " + SIZE)
            .bytes(FieldName.HOST_USED, "CPU Virtual Memory: {1,9}used = " + SIZE));
  }

  @Override
  public List<String> examples() {
    return List.of(
        "RuntimeError: Current platform can NOT allocate memory block with size larger than 4GB!"
            + " Tried to allocate 5.62 GiB (GPU 0; 15.91 GiB total capacity; 3.10 GiB already"
            + " allocated; 3.44 GiB reserved in total by PyTorch)",
        "Warning: Ran out of memory when regular VAE decoding, retrying with tiled VAE decoding.",
        "Got an OOM, unloading all loaded models.",
        "[WARNING] [stage3.py:2160:step] 3 pytorch allocator cache flushes since last step.",
        "MA 12.4 GB         Max_MA 14.1 GB         CA 48.20 GB         Max_CA 48 GB");
  }

  @Override
  public Conclusion conclude(LogMessage message, List<LogMessage> failure, LogContext context) {
    Conclusion.Builder conclusion = new Conclusion.Builder(message);
    MessageKind kind = message.kind();
    if (kind == ONE_ALLOCATION) {
      oneAllocation(message, conclusion);
    } else if (kind == TILED) {
      conclusion
          .headline("ComfyUI had too little memory for an image in one piece, and used tiles.")
          .certain("This is a warning: the program went on, more slowly.")
          .remedy("Choose the tiled VAE node at once for images of this size.", "");
    } else if (kind == FLUSHED) {
      conclusion
          .headline(
              "PyTorch’s allocator emptied its cache and tried again, because a request did not fit"
                  + " at first: memory is nearly used up. The program goes on, more slowly.")
          .certain(
              "This is a warning: each flush waits for the device and gives cached memory back,"
                  + " which is then asked for again. No request failed by it.")
          .remedy(
              "If it happens often, let the step need less: a smaller micro batch, activation"
                  + " checkpointing, or more of the state on the CPU.",
              "\"train_micro_batch_size_per_gpu\": 1")
          .remedy(
              "Where the ranks flush at different times, each waits for the others: let all of them"
                  + " empty their caches at the same time.",
              "get_accelerator().empty_cache()");
    } else if (kind == UNLOADED) {
      conclusion
          .headline("ComfyUI unloaded its models after a failure.")
          .certain("The line follows from the failure above; it is none of its own.");
    } else {
      Facts facts = new Facts(failure);
      conclusion.headline(
          "DeepSpeed’s memory: "
              + facts.quantity(FieldName.ALLOCATED).map(Amounts::text).orElse("an unknown part")
              + " allocated (MA), "
              + facts.quantity(FieldName.CACHED).map(Amounts::text).orElse("an unknown part")
              + " held by PyTorch’s allocator (CA).");
    }
    return conclusion.build();
  }

  private static void oneAllocation(LogMessage message, Conclusion.Builder conclusion) {
    Optional<Quantity> limit = message.quantity(FieldName.LIMIT);
    Optional<Quantity> total = message.quantity(FieldName.TOTAL);
    Optional<Quantity> reserved = message.quantity(FieldName.RESERVED);
    String most = limit.map(Amounts::text).orElse("a fixed size");
    conclusion
        .headline(
            "A request"
                + message.written(FieldName.REQUESTED).map(" of "::concat).orElse("")
                + " is larger than what this device gives in one allocation, "
                + most
                + ".")
        .certain(
            "The limit is one of a single allocation: the device is not full"
                + (total.isPresent() && reserved.isPresent()
                    ? ", PyTorch had reserved "
                        + text(reserved.get())
                        + " of its "
                        + text(total.get())
                    : "")
                + ". Settings that join or split free memory do not change it.")
        .remedy(
            "Keep each tensor below "
                + most
                + ": divide the work into parts, such as tiles of an image or chunks of attention,"
                + " or use a lower resolution or a smaller batch.",
            "");
    conclusion.total(total);
    conclusion.share(
        Share.Kind.ALLOCATED, "Allocated by this program", message.quantity(FieldName.ALLOCATED));
    conclusion.share(
        Share.Kind.UNALLOCATED,
        "Reserved but unallocated",
        reserved.isPresent() && message.quantity(FieldName.ALLOCATED).isPresent()
            ? Amounts.minus(reserved, message.quantity(FieldName.ALLOCATED))
            : Optional.empty());
  }
}
