package dev.vramscope.explain.producer;

/** What to collect, so that more can be said than a text allows. */
public final class CollectionAdvice {
  /** A snapshot with history, written when the next request fails. */
  public static final Advice TORCH_SNAPSHOT =
      new Advice(
          "Record a snapshot with history. It contains the line of code behind every byte, and the"
              + " run can be replayed under other settings to prove what would have helped. Upload"
              + " oom.pickle on the dashboard.",
          """
          torch.cuda.memory._record_memory_history(max_entries=1_000_000)
          try:
              train()
          except torch.OutOfMemoryError:  # torch.cuda.OutOfMemoryError before PyTorch 2.5
              torch.cuda.memory._dump_snapshot("oom.pickle")
              raise\
          """);

  /** Who else uses the device. */
  public static final Advice PROCESSES =
      new Advice(
          "Run nvidia-smi on the host, not in the container, while the program is running. It lists"
              + " all processes of the device with their memory.",
          "nvidia-smi");

  public static final Advice ROCM_PROCESSES =
      new Advice(
          "List the processes of the device on the host while the program is running.",
          "rocm-smi --showpids --showmeminfo vram");

  public static final Advice XPU_PROCESSES =
      new Advice(
          "List the processes of the device on the host while the program is running.",
          "xpu-smi ps");

  public static final Advice NPU_PROCESSES =
      new Advice(
          "List the processes of the device on the host while the program is running.",
          "npu-smi info");

  /** The message itself, with its numbers. */
  public static final Advice WHOLE_TEXT =
      new Advice(
          "Paste the whole message, from its first line to the end of the sentence about"
              + " fragmentation.",
          "");

  /** What the live buffers of a JAX program are, and where they were created. */
  public static final Advice JAX_PROFILE =
      new Advice(
          "Save a device memory profile just before the program fails. It lists the live buffers"
              + " with the lines of code that created them.",
          "jax.profiler.save_device_memory_profile(\"memory.prof\")");

  /** What a compiled program needs before it runs. */
  public static final Advice JAX_ANALYSIS =
      new Advice(
          "Print what the compiled program needs. It works before the program runs, on a machine"
              + " with more memory too.",
          "print(jax.jit(train_step).lower(*args).compile().memory_analysis())");

  /** The state of the BFC allocator when a request fails. */
  public static final Advice BFC_DUMP =
      new Advice(
          "Keep the lines of bfc_allocator.cc that follow the message: they list every chunk. They"
              + " are written at the level INFO.",
          "TF_CPP_MIN_LOG_LEVEL=0 TF_CPP_VMODULE=bfc_allocator=1");

  private CollectionAdvice() {}
}
