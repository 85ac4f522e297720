package dev.vramscope.explain.library;

import static dev.vramscope.explain.reading.MessageForm.BYTES;

import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.message.Memory;
import dev.vramscope.explain.message.MessageKind;
import dev.vramscope.explain.producer.Advice;
import dev.vramscope.explain.producer.CollectionAdvice;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.producer.LogContext;
import dev.vramscope.explain.producer.MessageProducer;
import dev.vramscope.explain.reading.MessageForm;
import java.util.List;

/** The resources of FAISS on GPUs, which ask the driver themselves. */
public final class Faiss implements MessageProducer {
  private static final MessageKind FAISS =
      MessageKind.failure(
          "faiss", Memory.DEVICE, "FAISS", "a failed request of FAISS’s GPU resources");

  private static final FieldName PURPOSE = new FieldName("purpose", "What it was for");

  @Override
  public String name() {
    return "FAISS";
  }

  @Override
  public List<MessageForm> forms() {
    return List.of(
        MessageForm.of(
                FAISS, "(?:StandardGpuResources: )?alloc fail type [A-Za-z]", "alloc fail type ")
            .words(PURPOSE, "alloc fail type ([A-Za-z]{1,40})")
            .words(FieldName.DEVICE, " dev ([0-9]{1,3})\\b")
            .bytes(FieldName.REQUESTED, " size " + BYTES));
  }

  @Override
  public List<String> examples() {
    return List.of(
        "Error: 'err == cudaSuccess' failed: StandardGpuResources: alloc fail type FlatData dev 1"
            + " space Device stream 0x55d0c8a1f2a0 size 6291456000 bytes (cudaMalloc error out of"
            + " memory [2])");
  }

  @Override
  public Conclusion conclude(LogMessage message, List<LogMessage> failure, LogContext context) {
    boolean isTemporary =
        message.written(PURPOSE).filter(purpose -> purpose.startsWith("Temporary")).isPresent();
    Conclusion.Builder conclusion = new Conclusion.Builder(message);
    conclusion
        .headline(
            "FAISS got no memory from the driver for a request"
                + message.ofRequested()
                + message.onGpu()
                + ".")
        .certain(
            "FAISS calls cudaMalloc itself: memory that the allocator of PyTorch or CuPy has cached"
                + " is not free for it.")
        .unknown("How much was free, and who holds the rest.");
    if (isTemporary) {
      conclusion
          .certain("The request was for the buffer of temporary results, whose size is a setting.")
          .remedy("Use a smaller buffer of temporary results.", "res.setTempMemory(256 << 20)");
    } else {
      conclusion.remedy(
          "Store the vectors in 16 bits, use an index that compresses them, or spread it over"
              + " several GPUs.",
          "options = faiss.GpuClonerOptions(); options.useFloat16 = True");
    }
    return conclusion
        .remedy(
            "Let other libraries of the process give back what they have cached, before FAISS"
                + " asks.",
            "torch.cuda.empty_cache()")
        .next(CollectionAdvice.PROCESSES)
        .next(
            new Advice(
                "Print what is free just before the call.", "print(torch.cuda.mem_get_info())"))
        .build();
  }
}
