package dev.vramscope.web.lab;

import dev.vramscope.live.lab.Operation;
import dev.vramscope.live.lab.Script;
import dev.vramscope.web.lab.LearnTopic.Subject;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** The ideas that are explained. Their scripts are files beside this class. */
public final class LearnTopics {
  /** In the order in which a newcomer would read them. */
  public static final List<LearnTopic> LIST =
      List.of(
          topic(
              Subject.PYTORCH,
              "reserved",
              "Why reserved is more than allocated",
              "The allocator takes memory from the driver in large segments, hands out pieces of"
                  + " them, and keeps what is freed.",
              "strip",
              List.of("empty-cache", "rounding", "nvidia-smi"),
              caching("", "256MiB")),
          topic(
              Subject.PYTORCH,
              "empty-cache",
              "What empty_cache does and does not do",
              "It returns completely free segments to the driver; it frees no tensor, and joins"
                  + " no free blocks of different segments.",
              "ladder",
              List.of("reserved", "nvidia-smi", "synchronizing-frees"),
              caching("", "256MiB")),
          topic(
              Subject.PYTORCH,
              "record-stream",
              "record_stream",
              "A freed block may still be read by a kernel on another stream; record_stream lets it"
                  + " wait.",
              "streams",
              List.of("synchronizing-frees", "private-pools", "pinned-memory"),
              caching("", "256MiB")),
          topic(
              Subject.PYTORCH,
              "expandable-segments",
              "Expandable segments",
              "One address range that grows by mapping pages replaces many segments whose free"
                  + " parts cannot be joined.",
              "expandable",
              List.of("reserved", "max-split-size", "empty-cache"),
              caching("", "1GiB"),
              caching("expandable_segments:True", "1GiB")),
          topic(
              Subject.PYTORCH,
              "private-pools",
              "Private pools and CUDA graphs",
              "A graph replays with the addresses of its capture, so its memory belongs to a pool"
                  + " that nothing else may use.",
              "streams",
              List.of("record-stream", "empty-cache", "reserved"),
              caching("", "256MiB")),
          topic(
              Subject.PYTORCH,
              "pinned-memory",
              "Pinned memory",
              "Page-locked host memory has a caching allocator of its own, which keeps a buffer"
                  + " until the copies from it are done.",
              "streams",
              List.of("record-stream", "rounding", "nccl-cudnn"),
              caching("", "256MiB")),
          topic(
              Subject.PYTORCH,
              "synchronizing-frees",
              "Why frees wait for the device",
              "Returning memory to the driver must wait for kernels that may use it, so the"
                  + " allocator avoids it until it has no choice.",
              "ladder",
              List.of("empty-cache", "record-stream", "recovery"),
              caching("", "192MiB")),
          topic(
              Subject.PYTORCH,
              "kept-tensors",
              "Tensors kept by accident",
              "A tensor lives as long as anything refers to it; memory that grows from step to step"
                  + " is usually a list, a closure or a graph.",
              "varying",
              List.of("recovery", "reserved", "empty-cache"),
              caching("", "256MiB")),
          topic(
              Subject.PYTORCH,
              "max-split-size",
              "What max_split_size really limits",
              "It keeps large free blocks whole for large requests; it limits neither segments nor"
                  + " the memory that is reserved.",
              "varying",
              List.of("expandable-segments", "rounding", "reserved"),
              caching("", "360MiB"),
              caching("max_split_size_mb:64", "360MiB")),
          topic(
              Subject.JAX,
              "jax-layers",
              "How the layers of JAX correspond to PyTorch’s",
              "JAX arrays, executables and the BFC allocator have the same tasks as PyTorch’s"
                  + " tensors, operators and caching allocator, divided differently.",
              "bfc",
              List.of("bfc-preallocation", "buffer-assignment", "reserved"),
              caching("", "512MiB"),
              bfc("enable_spatial_partitioning=false", "512MiB")),
          topic(
              Subject.JAX,
              "bfc-preallocation",
              "The 75 % of JAX",
              "JAX acquires three quarters of the device with its first request and divides them"
                  + " itself, with the BFC allocator.",
              "bfc",
              List.of("jax-layers", "rounding", "nvidia-smi"),
              bfc("enable_spatial_partitioning=false", "256MiB"),
              bfc("preallocate=false", "256MiB")),
          topic(
              Subject.JAX,
              "bfc-chunks",
              "Regions, chunks and 21 bins",
              "XLA’s allocator finds the smallest free chunk that is large enough, divides it if"
                  + " the rest is worth it, and joins what is freed.",
              "bfc",
              List.of("bfc-growth", "bfc-preallocation", "rounding"),
              bfc("enable_spatial_partitioning=false", "256MiB")),
          topic(
              Subject.JAX,
              "bfc-growth",
              "How a pool of XLA grows",
              "Without preallocation each region has twice the size of the last one; when the"
                  + " driver refuses, the pool asks for a tenth less.",
              "bfc",
              List.of("bfc-preallocation", "bfc-chunks", "nvidia-smi"),
              bfc("preallocate=false", "256MiB")),
          topic(
              Subject.JAX,
              "jax-no-empty-cache",
              "Why JAX has no empty_cache",
              "Free memory stays in the pool and serves the next request; only the end of the"
                  + " process returns it to the driver.",
              "bfc",
              List.of("platform", "bfc-preallocation", "compiled-step"),
              bfc("enable_spatial_partitioning=false", "256MiB"),
              bfc("preallocate=false", "256MiB")),
          topic(
              Subject.JAX,
              "platform",
              "The platform allocator: no pool at all",
              "With XLA_PYTHON_CLIENT_ALLOCATOR=platform each array is a call of the driver, slow"
                  + " to allocate and returned when it is freed.",
              "bfc",
              List.of("jax-no-empty-cache", "bfc-growth", "synchronizing-frees"),
              bfc("preallocate=false", "256MiB"),
              new LabRequest.LabAllocator("direct", "", "256MiB")),
          topic(
              Subject.JAX,
              "buffer-assignment",
              "Buffer assignment at compile time",
              "A compiler that knows when each buffer lives can place all of them in one block"
                  + " before the program runs.",
              "strip",
              List.of("jax-layers", "reserved", "expandable-segments"),
              caching("", "256MiB")),
          topic(
              Subject.JAX,
              "compiled-step",
              "Why a compiled program rarely runs out of memory",
              "Each step makes the same requests, so a step that fails later met something that had"
                  + " grown outside of it.",
              "bfc",
              List.of("buffer-assignment", "jax-no-empty-cache", "bfc-chunks"),
              bfc("enable_spatial_partitioning=false", "4GiB")),
          topic(
              Subject.EVERY_PROGRAM,
              "nvidia-smi",
              "Why nvidia-smi disagrees",
              "nvidia-smi counts what processes hold from the driver; PyTorch counts what its"
                  + " tensors hold from the allocator.",
              "ladder",
              List.of("reserved", "nccl-cudnn", "bfc-preallocation"),
              caching("", "256MiB")),
          topic(
              Subject.EVERY_PROGRAM,
              "nccl-cudnn",
              "NCCL, cuDNN and other memory outside the allocator",
              "Libraries allocate from the driver directly; the allocator does not know of it until"
                  + " the driver refuses a segment.",
              "ladder",
              List.of("nvidia-smi", "recovery", "pinned-memory"),
              caching("", "256MiB")),
          topic(
              Subject.EVERY_PROGRAM,
              "recovery",
              "Recovering from a failed request",
              "A failed request leaves the allocator intact, but a caught exception keeps the"
                  + " tensors of the code that failed.",
              "ladder",
              List.of("kept-tensors", "empty-cache", "nccl-cudnn"),
              caching("", "256MiB")),
          topic(
              Subject.EVERY_PROGRAM,
              "rounding",
              "Rounding and internal fragmentation",
              "A block is as large as its request or larger; the excess is lost until the block is"
                  + " freed.",
              "bfc",
              List.of("reserved", "max-split-size", "bfc-preallocation"),
              caching("", "128MiB"),
              bfc("enable_spatial_partitioning=false", "128MiB")));

  private LearnTopics() {}

  public static Optional<LearnTopic> find(String id) {
    return LIST.stream().filter(topic -> topic.id().equals(id)).findFirst();
  }

  /** The ideas about a subject, in the order of the list. */
  static List<LearnTopic> about(Subject subject) {
    return LIST.stream().filter(topic -> topic.subject() == subject).toList();
  }

  private static LearnTopic topic(
      Subject subject,
      String id,
      String title,
      String sentence,
      String exercise,
      List<String> related,
      LabRequest.LabAllocator... sides) {
    String script = script(id);
    return new LearnTopic(
        subject,
        id,
        title,
        sentence,
        List.of(sides),
        script,
        beforeSecondLabel(script),
        exercise,
        related);
  }

  private static LabRequest.LabAllocator caching(String settings, String deviceBytes) {
    return new LabRequest.LabAllocator("caching", settings, deviceBytes);
  }

  private static LabRequest.LabAllocator bfc(String settings, String deviceBytes) {
    return new LabRequest.LabAllocator("bfc", settings, deviceBytes);
  }

  /** The page opens with what the script's first label says done. */
  private static int beforeSecondLabel(String script) {
    List<Operation> operations = Script.parse(script).operations();
    for (int i = 1; i < operations.size(); i++) {
      if (operations.get(i) instanceof Operation.Label) {
        return i;
      }
    }
    return operations.size();
  }

  private static String script(String id) {
    String name = "learn/" + id + ".txt";
    try (InputStream in = LearnTopics.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("missing resource " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
