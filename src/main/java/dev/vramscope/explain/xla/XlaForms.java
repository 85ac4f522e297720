package dev.vramscope.explain.xla;

import static dev.vramscope.explain.reading.MessageForm.BYTES;
import static dev.vramscope.explain.reading.MessageForm.SIZE;

import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.reading.MessageForm;
import java.util.List;

/** The messages of XLA (JAX, PyTorch/XLA) and TensorFlow. */
final class XlaForms {
  static final FieldName UNPADDED = new FieldName("unpadded", "Largest allocation, unpadded");
  static final FieldName PADDING = new FieldName("padding", "Largest allocation, padding");
  static final FieldName EXPANSION =
      new FieldName("expansion", "Largest allocation, expansion by padding");

  static final List<MessageForm> ALL =
      List.of(
          MessageForm.of(
                  Xla.BFC_WARNING,
                  "Allocator \\([^)\\s]{1,80}\\) ran out of memory trying to allocate .{1,120}?"
                      + " The caller indicates that this is not a failure",
                  "this is not a failure")
              .truncated()
              .words(FieldName.ALLOCATOR, "Allocator \\(([^)\\s]{1,80})\\)")
              .bytes(FieldName.REQUESTED, "trying to allocate " + SIZE),
          bfc(),
          xla(),
          MessageForm.of(
                  Xla.TF_TENSOR,
                  "OOM when allocating tensor (?:with|of) shape",
                  "OOM when allocating tensor")
              .words(FieldName.SHAPE, "shape ?(\\[[-0-9, ]{0,200}\\])")
              .words(FieldName.TYPE, "\\] and type ([a-z0-9_]{1,20})")
              .words(FieldName.DEVICE, " on (/\\S{1,200})")
              .words(FieldName.ALLOCATOR, "by allocator (\\S{1,80})")
              .words(FieldName.OPERATION, "\\[\\[(?:Node: |\\{\\{node )([^\\s}=]{1,300})"),
          tpu(),
          MessageForm.of(
                  Xla.XLA_TPU_RUNTIME,
                  "(?:Error loading program '[^']{1,200}': )?"
                      + "Attempting to (?:allocate|reserve) -?[0-9.]{1,20}[KMGTPE]?i?B?"
                      + ".{0,40}? That was not possible",
                  "That was not possible")
              .truncated()
              .words(FieldName.PROGRAM, "Error loading program '([^']{1,200})'")
              .bytes(FieldName.REQUESTED, "Attempting to (?:allocate|reserve) " + BYTES)
              .bytes(FieldName.FREE, "There are " + BYTES + " free"),
          MessageForm.of(
                  Xla.XLA_SINGLE,
                  "Allocation \\(size=-?[0-9][^)]{0,29}\\) would exceed memory",
                  "would exceed memory")
              .bytes(FieldName.REQUESTED, "Allocation \\(size=" + BYTES)
              .bytes(FieldName.TOTAL, "exceed memory \\(size=" + BYTES)
              .words(FieldName.SHAPE, "shape = '([^']{1,300})'")
              .words(FieldName.MEMORY_SPACE, "space=([a-z]{1,20})")
              .words(FieldName.OPERATION, "tag = '([^']{1,300})'"),
          MessageForm.of(
                  Xla.XLA_ABORT, "unlikely to have enough memory", "unlikely to have enough memory")
              .bytes(FieldName.REQUESTED, "Requires " + BYTES)
              .bytes(FieldName.TOTAL, "has " + BYTES + " available"));

  private XlaForms() {}

  /** The allocator's message and its dump, whose lines may be cut anywhere. */
  private static MessageForm bfc() {
    return MessageForm.of(
            Xla.BFC,
            "Allocator \\([^)\\s]{1,80}\\) ran out of memory trying to allocate",
            "ran out of memory trying to allocate")
        .truncated()
        .part(
            "BFCAllocator dump for|\\bBin \\([0-9]{1,20}\\):|\\b(?:InUse|Free|Chunk) at"
                + " (?:0x)?[0-9a-f]{6,16} |\\b[0-9]{1,9} Chunks of size [0-9]|Sum Total of in-use"
                + " chunks:|\\bStats: Limit: (?!0 InUse)|Ran out of memory trying to allocate"
                + "|Total (?:bytes|size) in pool:|total_region_allocated_bytes_:"
                + "|Allocator memory summary: rounded request|'bytes_in_use': [0-9]"
                + "|'bytes_limit': [0-9]",
            "BFCAllocator dump for",
            "Bin (",
            "InUse at ",
            "Free at ",
            "Chunk at ",
            " Chunks of size ",
            "Sum Total of in-use",
            "Stats: Limit:",
            "Ran out of memory trying",
            "Total bytes in pool:",
            "Total size in pool:",
            "Allocator memory summary:",
            "'bytes_in_use':",
            "'bytes_limit':",
            "total_region_allocated_bytes_:")
        .words(FieldName.ALLOCATOR, "(?:Allocator \\(|dump for )([^)\\s]{1,80})")
        .bytes(FieldName.REQUESTED, "trying to allocate " + BYTES + "|Bin for " + BYTES + " was")
        .bytes(FieldName.ROUNDED, "\\(rounded to " + BYTES)
        .words(
            FieldName.OPERATION,
            "\\)(?: from the [a-z]{1,10} end )?requested by op"
                + " (?!BFCAllocator|If th)([A-Za-z][^\\s:]{1,299})(?= |$)")
        .lists()
        .each(FieldName.CHUNKS, "([0-9]{1,9} Chunks of size [0-9]{1,18}) totalling " + BYTES)
        .bytes(FieldName.IN_USE_CHUNKS, "Sum Total of in-use chunks: " + BYTES)
        .otherwise(FieldName.FREE_CHUNKS, "total free in pool " + BYTES)
        .otherwise(FieldName.LARGEST_FREE, "largest free chunk usable by [a-z]{1,10} end " + BYTES)
        .bytes(
            FieldName.POOL,
            "Total (?:bytes|size) in pool: "
                + BYTES
                + "|total_region_allocated_bytes_: "
                + BYTES
                + "|, pool size "
                + BYTES)
        .bytes(
            FieldName.AVAILABLE,
            "available (?:bytes|size): " + BYTES + "|unallocated bytes " + BYTES)
        .bytes(FieldName.LIMIT, "\\bLimit: " + BYTES + "|'bytes_limit': " + BYTES)
        .otherwise(FieldName.LIMIT, "memory_limit_: " + BYTES + "|, pool limit " + BYTES)
        .bytes(FieldName.IN_USE, "\\bInUse: " + BYTES + "|'bytes_in_use': " + BYTES)
        .bytes(FieldName.IN_USE_PEAK, "\\bMaxInUse: " + BYTES)
        .words(FieldName.ALLOCATIONS, "NumAllocs: ([0-9]{1,18})")
        .bytes(FieldName.LARGEST_ALLOCATION, "MaxAllocSize: " + BYTES);
  }

  /** A failed request and the buffers that XLA's compiler had planned. */
  private static MessageForm xla() {
    return MessageForm.of(
            Xla.XLA_OOM,
            "Out of memory (?:while trying to allocate|allocating) -?[0-9]|Failed to allocate"
                + " request for -?[0-9]|failed to allocate -?[0-9.]{1,20}[KMGTPE]?i?B?"
                + " \\([0-9]{1,20} bytes\\) from device",
            "Out of memory while trying",
            "Out of memory allocating",
            "Failed to allocate request for",
            "failed to allocate ")
        .truncated()
        .part(
            "BufferAssignment OOM Debugging|BufferAssignment stats:|Peak buffers:"
                + "|\\bBuffer [0-9]{1,4}: Size: ",
            "BufferAssignment ",
            "Peak buffers:",
            ": Size: ")
        .bytes(
            FieldName.REQUESTED,
            "(?:trying to allocate|memory allocating|request for|failed to allocate) " + SIZE)
        .bytes(
            FieldName.ROUNDED,
            "(?:request for|failed to allocate) [0-9.]{1,20}[KMGTPE]i?B \\(" + SIZE)
        .bytes(FieldName.PARAMETERS, "parameter allocation: " + SIZE)
        .bytes(FieldName.CONSTANTS, "constant allocation: " + SIZE)
        .bytes(FieldName.OUTPUTS, "maybe_live_out allocation: " + SIZE)
        .bytes(FieldName.TEMPORARIES, "preallocated temp allocation: " + SIZE)
        .bytes(FieldName.TOTAL_NEEDED, "total allocation: " + SIZE)
        .bytes(FieldName.FRAGMENTATION, "total fragmentation: " + SIZE)
        .buffers("\\bBuffer [0-9]{1,4}: Size: " + SIZE);
  }

  /** What XLA's compiler reports if a program does not fit into a TPU. */
  private static MessageForm tpu() {
    return MessageForm.of(
            Xla.XLA_TPU, "Ran out of memory in memory space [a-z]", "in memory space ")
        .truncated()
        .part(
            "Total [a-z]{1,10} usage >= |Program [a-z]{1,10} requirement "
                + "|Largest program allocations in |\\b[0-9]{1,4}\\. Size: ",
            " usage >= ",
            " requirement ",
            "Largest program allocations in ",
            ". Size: ")
        .words(FieldName.MEMORY_SPACE, "memory space ([a-z]{1,20})")
        .bytes(FieldName.USED, "Used " + BYTES + " of ")
        .bytes(FieldName.TOTAL, "Used [0-9.,]{1,24} ?[A-Za-z]{0,5} of " + BYTES)
        .bytes(
            FieldName.EXCEEDED,
            "Exceeded [a-z]{1,10} capacity by "
                + BYTES
                + "|exceeded scoped [a-z]{1,10} limit by "
                + BYTES)
        .bytes(FieldName.REQUESTED, "Scoped allocation with size " + BYTES)
        .bytes(FieldName.LIMIT, "and limit " + BYTES + " exceeded scoped")
        .bytes(UNPADDED, "Unpadded size: " + BYTES)
        .bytes(PADDING, "Extra memory due to padding: " + BYTES)
        .words(EXPANSION, "due to padding: \\S{1,20} \\(([0-9.]{1,8}x) expansion")
        .words(FieldName.OPERATION, "capacity by \\S{1,20} Operator: (\\S.{0,500}?) XLA label:")
        .bytes(FieldName.USAGE, "usage >= " + BYTES)
        .bytes(FieldName.SYSTEM_RESERVED, "\\breserved " + BYTES)
        .bytes(FieldName.PROGRAM, "\\bprogram " + BYTES)
        .bytes(FieldName.ARGUMENTS, "\\barguments " + BYTES)
        .bytes(FieldName.OUTPUT, "Output size " + BYTES)
        .bytes(FieldName.GLOBAL, "\\bglobal " + BYTES)
        .bytes(FieldName.SCOPED, "\\bscoped " + BYTES)
        .bytes(FieldName.TEMPORARIES, "HLO temp " + BYTES)
        .bytes(FieldName.FRAGMENTATION, "% fragmentation \\(" + BYTES)
        .buffers("\\b[0-9]{1,4}\\. Size: " + BYTES);
  }
}
