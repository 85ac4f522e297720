package dev.vramscope.explain.serving;

import static dev.vramscope.explain.message.Amounts.isSurelyMore;
import static dev.vramscope.explain.message.Amounts.text;
import static dev.vramscope.explain.reading.MessageForm.BYTES;
import static dev.vramscope.explain.reading.MessageForm.SIZE;

import dev.vramscope.evidence.Quantity;
import dev.vramscope.explain.message.Amounts;
import dev.vramscope.explain.message.Field;
import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.message.Memory;
import dev.vramscope.explain.message.MessageKind;
import dev.vramscope.explain.producer.CollectionAdvice;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.producer.Facts;
import dev.vramscope.explain.producer.LogContext;
import dev.vramscope.explain.producer.MessageProducer;
import dev.vramscope.explain.producer.Share;
import dev.vramscope.explain.reading.MessageForm;
import java.util.List;
import java.util.Optional;

/** llama.cpp, on CUDA, ROCm, Vulkan, SYCL and Metal, also within Ollama and others. */
public final class LlamaCpp implements MessageProducer {
  /** A failed request. */
  public static final MessageKind LLAMA_CPP =
      MessageKind.failure(
          "llama-cpp", Memory.DEVICE, "llama.cpp", "a failed allocation of llama.cpp");

  private static final MessageKind START =
      MessageKind.context(
          "llama-cpp-start", Memory.DEVICE, "llama.cpp", "what llama.cpp says while it loads");

  private static final FieldName FREE_AT_START =
      new FieldName("free-at-start", "Free on the device when it was loaded");
  private static final FieldName WEIGHTS = new FieldName("weights", "Weights on the device");
  private static final FieldName CACHE = new FieldName("kv-cache", "KV cache on the device");
  private static final FieldName HOST_CACHE =
      new FieldName("kv-cache-host", "KV cache on the host");
  private static final FieldName FILE = new FieldName("file", "Size of the model’s file");

  private static final String DEVICE_NAME = "(?:CUDA|ROCm|Vulkan|SYCL|MUSA|CANN|Metal|MTL)";

  @Override
  public String name() {
    return "llama.cpp (CUDA, ROCm, Vulkan, SYCL), Ollama";
  }

  @Override
  public List<MessageForm> forms() {
    return List.of(
        MessageForm.of(
                LLAMA_CPP,
                "ggml_backend_[a-z_]{1,80}: allocating -?[0-9.]{1,20} ?[A-Za-z]{1,5} on device"
                    + " [0-9]{1,3}(?:: [A-Za-z]{1,20} failed: out of memory)?",
                "ggml_backend_")
            .part(
                "failed to allocate [A-Za-z0-9_]{1,40} buffer of size -?[0-9]"
                    + "|failed to allocate compute (?:pp |tg )?buffers"
                    + "|unable to allocate [A-Za-z0-9_]{1,40} buffer"
                    + "|failed to allocate buffer for kv cache"
                    + "|ggml_vulkan: Device memory allocation of size [0-9]"
                    + "|ggml_vulkan: [^.]{0,120}ErrorOutOfDeviceMemory"
                    + "|ggml_sycl[^.]{0,80}an't allocate [0-9]",
                " buffer of size ",
                "failed to allocate compute",
                "unable to allocate ",
                "failed to allocate buffer for kv cache",
                "ggml_vulkan: ",
                "ggml_sycl")
            .bytes(FieldName.REQUESTED, ": allocating " + SIZE)
            .words(FieldName.DEVICE, " on device ([0-9]{1,3})")
            .words(
                FieldName.BUFFER_NAME,
                "failed to allocate ([A-Za-z0-9_]{1,40}) buffer of size|unable to allocate"
                    + " ([A-Za-z0-9_]{1,40}) buffer")
            .words(PURPOSE, "failed to allocate (compute|buffer for kv cache)")
            .bytes(
                FieldName.REQUESTED,
                "buffer of size "
                    + BYTES
                    + "|memory allocation of size "
                    + BYTES
                    + "|an't allocate "
                    + BYTES)
            .words(BACKEND, "(ggml_vulkan|ggml_sycl)"),
        MessageForm.of(START, "(?!)")
            .part(
                "using device [A-Za-z0-9]{1,20} \\([^)]{1,120}\\).{0,60}? - [0-9.]{1,12}"
                    + " ?[A-Za-z]{1,5} free|"
                    + DEVICE_NAME
                    + "[0-9]{1,3} (?:model|KV|compute) buffer size ?= ?[0-9]"
                    + "|(?:CPU|"
                    + DEVICE_NAME
                    + "_Host) KV buffer size ?= ?[0-9]|file size ?= ?[0-9]|n_ctx ?= ?[0-9]",
                "using device ",
                " buffer size",
                "file size ",
                "n_ctx ")
            .each(
                FREE_AT_START,
                "using device [A-Za-z]{1,12}([0-9]{1,3}) \\([^)]{1,120}\\).{0,60}? - "
                    + SIZE
                    + " free")
            .each(WEIGHTS, DEVICE_NAME + "([0-9]{1,3}) model buffer size ?= ?" + SIZE)
            .each(CACHE, DEVICE_NAME + "([0-9]{1,3}) KV buffer size ?= ?" + SIZE)
            .bytes(HOST_CACHE, "(?:CPU|_Host) KV buffer size ?= ?" + SIZE)
            .bytes(FILE, "file size ?= ?" + SIZE)
            .words(LENGTH, "\\bn_ctx ?= ?([0-9]{1,9})"));
  }

  private static final FieldName PURPOSE = new FieldName("purpose", "For");
  private static final FieldName BACKEND = new FieldName("backend", "Backend");
  private static final FieldName LENGTH = new FieldName("context", "Context, in tokens");

  @Override
  public List<String> examples() {
    return List.of(
        "ggml_backend_cuda_buffer_type_alloc_buffer: allocating 5210.00 MiB on device 0: cudaMalloc"
            + " failed: out of memory\nggml_gallocr_reserve_n: failed to allocate CUDA0 buffer of"
            + " size 5463080960\ngraph_reserve: failed to allocate compute buffers",
        "ggml_vulkan: Device memory allocation of size 1342177280 failed.\nggml_vulkan:"
            + " vk::Device::allocateMemory: ErrorOutOfDeviceMemory",
        "llama_model_load_from_file_impl: using device CUDA0 (Tesla P4) - 7944 MiB free\n"
            + "load_tensors:        CUDA0 model buffer size =  6810.44 MiB");
  }

  @Override
  public Conclusion conclude(LogMessage message, List<LogMessage> failure, LogContext context) {
    Conclusion.Builder conclusion = new Conclusion.Builder(message);
    if (message.kind() == START) {
      return start(new Facts(failure), conclusion).build();
    }
    Facts all = context.numbers().before(message.line());
    Facts before = device(message).map(all::about).orElse(all);
    Optional<Quantity> requested = message.quantity(FieldName.REQUESTED);
    Buffer buffer = buffer(message, requested, before);
    conclusion.headline(
        "llama.cpp could not allocate "
            + buffer.label
            + requested.map(Amounts::text).map(" of "::concat).orElse("")
            + message
                .written(FieldName.DEVICE)
                .map(device -> " on GPU " + device)
                .or(() -> message.written(FieldName.BUFFER_NAME).map(name -> " (" + name + ")"))
                .orElse("")
            + ".");
    cause(conclusion, requested, before);
    conclusion.certain(
        "llama.cpp asks the driver for it in one piece"
            + (message.written(BACKEND).filter(name -> name.contains("vulkan")).isPresent()
                ? " (memory of the device, through Vulkan)"
                : "")
            + ": there is no fragmentation inside it.");
    remedies(conclusion, buffer, before);
    if (hasSeveralDevices(all) && buffer != Buffer.COMPUTE) {
      conclusion.remedy(
          "Or give this GPU a smaller part of the model, and the one with more free memory a larger"
              + " one.",
          "--tensor-split 4,1");
    }
    return conclusion.next(CollectionAdvice.PROCESSES).build();
  }

  /** The number of the device that refused: by itself, or in the name of the buffer. */
  private static Optional<String> device(LogMessage message) {
    return message
        .written(FieldName.DEVICE)
        .or(
            () ->
                message
                    .written(FieldName.BUFFER_NAME)
                    .map(name -> name.replaceAll("[^0-9]+", ""))
                    .filter(number -> !number.isEmpty()));
  }

  private static boolean hasSeveralDevices(Facts facts) {
    return facts.messages().stream()
            .flatMap(message -> message.fields().stream())
            .filter(field -> field.name() == FREE_AT_START)
            .map(Field::of)
            .distinct()
            .count()
        > 1;
  }

  /** What a buffer is for. */
  private enum Buffer {
    WEIGHTS("the buffer of the weights"),
    CACHE("the buffer of the KV cache"),
    COMPUTE("the compute buffer"),
    UNKNOWN("a buffer");

    private final String label;

    Buffer(String label) {
      this.label = label;
    }
  }

  private static Buffer buffer(LogMessage message, Optional<Quantity> requested, Facts before) {
    Optional<String> purpose = message.written(PURPOSE);
    if (purpose.isPresent()) {
      return purpose.get().equals("compute") ? Buffer.COMPUTE : Buffer.CACHE;
    }
    boolean hasWeights = before.quantity(WEIGHTS).isPresent();
    boolean isWeights =
        !hasWeights
            && (message.written(FieldName.BUFFER_NAME).isPresent()
                || before.quantity(FILE).isPresent());
    boolean isFile =
        requested.isPresent()
            && before
                .quantity(FILE)
                .filter(file -> requested.get().bytes() > file.bytes() * 0.7)
                .isPresent();
    return isWeights || (isFile && !hasWeights) ? Buffer.WEIGHTS : Buffer.UNKNOWN;
  }

  private static void cause(
      Conclusion.Builder conclusion, Optional<Quantity> requested, Facts before) {
    Optional<Quantity> free = before.quantity(FREE_AT_START);
    Optional<Quantity> weights = before.quantity(WEIGHTS);
    Optional<Quantity> cache = before.quantity(CACHE);
    if (free.isEmpty() || requested.isEmpty()) {
      conclusion.unknown("How much of the device was free at that moment, and how large it is.");
      return;
    }
    Optional<Quantity> taken =
        weights.map(bytes -> cache.map(bytes::plus).orElse(bytes)).or(() -> cache);
    Quantity needed = taken.map(requested.get()::plus).orElse(requested.get());
    conclusion.total(free);
    conclusion.share(Share.Kind.ALLOCATED, "Weights", weights);
    conclusion.share(Share.Kind.ALLOCATED, "KV cache", cache);
    if (isSurelyMore(needed, free.get())) {
      conclusion.certain(
          (taken.isPresent()
                  ? "What was allocated before, "
                      + text(taken.get())
                      + ", and this buffer are together "
                      + text(needed)
                      + ", more than the "
                  : "The buffer alone is larger than the ")
              + text(free.get())
              + " that were free when it was loaded: "
              + text(Amounts.difference(needed, free.get()))
              + " too much.");
      return;
    }
    conclusion
        .certain(
            "The device is not simply full: the request"
                + (taken.isPresent() ? ", with what was allocated before," : "")
                + " is less than the "
                + text(free.get())
                + " that were free when loading began. The driver refused it nevertheless.")
        .unknown(
            "Why the driver refused it: a limit of one allocation, the runtime or the container, or"
                + " another process that took the memory at that moment.");
  }

  private static void remedies(Conclusion.Builder conclusion, Buffer buffer, Facts before) {
    boolean isCacheOnHost =
        before.quantity(CACHE).isEmpty() && before.quantity(HOST_CACHE).isPresent();
    if (buffer != Buffer.COMPUTE) {
      conclusion.remedy(
          "Keep fewer layers on the GPU"
              + (buffer == Buffer.WEIGHTS ? ", so that this buffer becomes smaller" : "")
              + ".",
          "--n-gpu-layers 20");
    }
    if (buffer == Buffer.COMPUTE || buffer == Buffer.UNKNOWN) {
      conclusion.remedy(
          "Make the compute buffer smaller: a smaller micro batch, a shorter context, or flash"
              + " attention, which does not store the scores.",
          "--ubatch-size 256 --ctx-size 8192 --flash-attn on");
    }
    if (buffer == Buffer.CACHE || (buffer == Buffer.UNKNOWN && !isCacheOnHost)) {
      conclusion.remedy(
          "Use a shorter context, or a smaller type for the KV cache.",
          "--ctx-size 8192 --cache-type-k q8_0 --cache-type-v q8_0");
    }
    if (buffer == Buffer.WEIGHTS) {
      conclusion.remedy(
          "If it should have fit, try another version of the driver or runtime, or another backend"
              + " (Vulkan): some refuse large allocations.",
          "");
    }
  }

  private static Conclusion.Builder start(Facts facts, Conclusion.Builder conclusion) {
    return conclusion.headline(
        "llama.cpp loaded a model"
            + facts.quantity(WEIGHTS).map(bytes -> ": weights " + text(bytes)).orElse("")
            + facts.quantity(CACHE).map(bytes -> ", KV cache " + text(bytes)).orElse("")
            + facts
                .quantity(FREE_AT_START)
                .map(bytes -> "; " + text(bytes) + " were free before")
                .orElse("")
            + ".");
  }
}
