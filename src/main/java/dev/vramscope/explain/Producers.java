package dev.vramscope.explain;

import dev.vramscope.explain.host.BatchSystem;
import dev.vramscope.explain.host.HostRequests;
import dev.vramscope.explain.host.Kubernetes;
import dev.vramscope.explain.host.LinuxKernel;
import dev.vramscope.explain.host.MacOs;
import dev.vramscope.explain.host.MemoryDaemons;
import dev.vramscope.explain.host.RayMonitor;
import dev.vramscope.explain.host.Windows;
import dev.vramscope.explain.library.CuPy;
import dev.vramscope.explain.library.CudaMallocAsync;
import dev.vramscope.explain.library.CudnnHandle;
import dev.vramscope.explain.library.Cycles;
import dev.vramscope.explain.library.DeviceFaults;
import dev.vramscope.explain.library.DriverErrors;
import dev.vramscope.explain.library.Faiss;
import dev.vramscope.explain.library.FlashInfer;
import dev.vramscope.explain.library.JuliaCuda;
import dev.vramscope.explain.library.ModelPlacement;
import dev.vramscope.explain.library.Nccl;
import dev.vramscope.explain.library.NvidiaKernel;
import dev.vramscope.explain.library.NvidiaSmi;
import dev.vramscope.explain.library.NvidiaSmiLog;
import dev.vramscope.explain.library.OnnxRuntime;
import dev.vramscope.explain.library.Paddle;
import dev.vramscope.explain.library.PinnedMemory;
import dev.vramscope.explain.library.Rmm;
import dev.vramscope.explain.library.TensorRt;
import dev.vramscope.explain.library.Triton;
import dev.vramscope.explain.library.XgBoost;
import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.message.LogMessages;
import dev.vramscope.explain.message.MessageKind;
import dev.vramscope.explain.producer.MessageProducer;
import dev.vramscope.explain.reading.LogReader;
import dev.vramscope.explain.reading.MessageForm;
import dev.vramscope.explain.serving.LlamaBreakdown;
import dev.vramscope.explain.serving.LlamaCpp;
import dev.vramscope.explain.serving.SgLang;
import dev.vramscope.explain.serving.TextGenerationInference;
import dev.vramscope.explain.serving.Vllm;
import dev.vramscope.explain.torch.MemoryStatsFile;
import dev.vramscope.explain.torch.PyTorch;
import dev.vramscope.explain.torch.PyTorchNotices;
import dev.vramscope.explain.xla.Xla;
import dev.vramscope.explain.xla.XlaNotices;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** All producers whose messages are recognized. */
public final class Producers {
  /** One whose messages include those of another is before it. */
  private static final List<MessageProducer> ALL =
      List.of(
          new RayMonitor(),
          new BatchSystem(),
          new LinuxKernel(),
          new Kubernetes(),
          new MemoryDaemons(),
          new MacOs(),
          new Windows(),
          new HostRequests(),
          new PinnedMemory(),
          new Triton(),
          new TensorRt(),
          new FlashInfer(),
          new CudnnHandle(),
          new CudaMallocAsync(),
          new NvidiaKernel(),
          new Vllm(),
          new SgLang(),
          new TextGenerationInference(),
          new LlamaCpp(),
          new LlamaBreakdown(),
          new CuPy(),
          new Cycles(),
          new ModelPlacement(),
          new Nccl(),
          new Rmm(),
          new OnnxRuntime(),
          new Paddle(),
          new Faiss(),
          new JuliaCuda(),
          new XgBoost(),
          new DeviceFaults(),
          new DriverErrors(),
          new XlaNotices(),
          new Xla(),
          new PyTorchNotices(),
          new PyTorch(),
          new MemoryStatsFile(),
          new NvidiaSmi(),
          new NvidiaSmiLog(),
          new UnknownWording());

  private static final List<MessageForm> FORMS =
      ALL.stream().flatMap(producer -> producer.forms().stream()).toList();

  private static final Map<MessageKind, MessageProducer> BY_KIND = byKind();

  private Producers() {}

  private static Map<MessageKind, MessageProducer> byKind() {
    Map<MessageKind, MessageProducer> producers = new HashMap<>();
    for (MessageProducer producer : ALL) {
      producer.forms().forEach(form -> producers.put(form.kind(), producer));
      producer.otherKinds().forEach(kind -> producers.put(kind, producer));
    }
    return Map.copyOf(producers);
  }

  /** All of them. */
  public static List<MessageProducer> all() {
    return ALL;
  }

  /** The different messages of a text, and how often each occurs. */
  public static LogMessages read(String text) {
    for (MessageProducer producer : ALL) {
      List<LogMessage> whole = producer.readDocument(text);
      if (!whole.isEmpty()) {
        return LogReader.read("", List.of(), whole);
      }
    }
    List<LogMessage> others =
        ALL.stream().flatMap(producer -> producer.read(text).stream()).toList();
    return LogReader.read(text, FORMS, others);
  }

  /** Who writes a message. */
  static MessageProducer of(LogMessage message) {
    MessageProducer producer = BY_KIND.get(message.kind());
    if (producer == null) {
      throw new IllegalArgumentException("No producer has the kind " + message.kind());
    }
    return producer;
  }
}
