package dev.vramscope.explain.serving;

import static dev.vramscope.explain.reading.MessageForm.BYTES;
import static dev.vramscope.explain.reading.MessageForm.SIZE;

import dev.vramscope.explain.findings.FieldName;
import dev.vramscope.explain.findings.LogMessage;
import dev.vramscope.explain.findings.Memory;
import dev.vramscope.explain.findings.MessageKind;
import dev.vramscope.explain.producer.CollectionAdvice;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.producer.LogContext;
import dev.vramscope.explain.producer.Producer;
import dev.vramscope.explain.reading.MessageForm;
import dev.vramscope.model.ByteText;
import java.util.List;

/** llama.cpp. */
public final class LlamaCpp implements Producer {
  /** A failed request. */
  public static final MessageKind LLAMA_CPP =
      MessageKind.failure(
          "llama-cpp", Memory.DEVICE, "llama.cpp", "a failed allocation of llama.cpp");

  @Override
  public String name() {
    return "llama.cpp";
  }

  @Override
  public List<MessageForm> forms() {
    return List.of(
        MessageForm.of(
                LLAMA_CPP,
                "ggml_backend_[a-z_]{1,80}: allocating -?[0-9.]{1,20} MiB on device"
                    + " [0-9]{1,3}(?:: [A-Za-z]{1,20} failed: out of memory)?",
                "ggml_backend_")
            .part(
                "failed to allocate [A-Za-z0-9_]{1,40} buffer of size -?[0-9]", " buffer of size ")
            .bytes(FieldName.REQUESTED, ": allocating " + SIZE)
            .words(FieldName.DEVICE, "MiB on device ([0-9]{1,3})")
            .words(FieldName.BUFFER_NAME, "failed to allocate ([A-Za-z0-9_]{1,40}) buffer")
            .bytes(FieldName.REQUESTED, "buffer of size " + BYTES));
  }

  @Override
  public List<String> examples() {
    return List.of(
        "ggml_backend_cuda_buffer_type_alloc_buffer: allocating 5210.00 MiB on device 0: cudaMalloc"
            + " failed: out of memory");
  }

  @Override
  public Conclusion conclude(LogMessage finding, List<LogMessage> failure, LogContext context) {
    Conclusion.Builder conclusion = new Conclusion.Builder(finding);
    String size = size(finding);
    String device = device(finding);
    String buffer = finding.written(FieldName.BUFFER_NAME).map(name -> name + " ").orElse("");
    conclusion
        .headline("llama.cpp could not allocate its " + buffer + "buffer" + size + device + ".")
        .certain(
            "llama.cpp allocates this buffer in one piece: there is no fragmentation inside it.")
        .unknown("How much of the device was free, and how large it is.")
        .remedy("Keep fewer layers on the GPU.", "--n-gpu-layers 20")
        .remedy(
            "Use a smaller context or a smaller type for the KV cache; compute buffers shrink with"
                + " the batch.",
            "--ctx-size 4096 --cache-type-k q8_0 --ubatch-size 256")
        .next(CollectionAdvice.PROCESSES);
    return conclusion.build();
  }

  private static String size(LogMessage message) {
    return message
        .quantity(FieldName.REQUESTED)
        .map(bytes -> " of " + ByteText.of(bytes.bytes()))
        .orElse("");
  }

  private static String device(LogMessage message) {
    return message.written(FieldName.DEVICE).map(number -> " on GPU " + number).orElse("");
  }
}
