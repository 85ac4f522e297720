package dev.vramscope.explain.reading;

import static dev.vramscope.explain.reading.MessageForm.BYTES;
import static dev.vramscope.explain.reading.MessageForm.SIZE;

import dev.vramscope.explain.findings.FieldName;
import dev.vramscope.explain.findings.MessageKind;
import java.util.List;

/** The messages of libraries, servers and drivers. */
final class LibraryForms {
  /** Why RMM had no memory, as its exceptions and its log write it. */
  private static final String RMM_REASON =
      "([Mm]aximum pool size exceeded|cudaErrorMemoryAllocation|not enough room)";

  static final List<MessageForm> ALL =
      List.of(
          MessageForm.of(
                  MessageKind.CUPY,
                  "Out of memory allocating -?[0-9,]{1,25} bytes \\(allocated",
                  "Out of memory allocating")
              .bytes(FieldName.REQUESTED, "allocating " + SIZE)
              .bytes(FieldName.ALLOCATED, "allocated so far: " + SIZE)
              .bytes(FieldName.LIMIT, "limit set to: " + SIZE),
          MessageForm.of(
                  MessageKind.NCCL,
                  "(?:\\[[0-9]{1,3}\\] \\S{1,100} )?NCCL WARN Cuda failure [0-9 ]{0,4}'?out of"
                      + " memory",
                  "NCCL WARN Cuda failure")
              .part("NCCL WARN Failed to CUDA (?:calloc|malloc|alloc)", "NCCL WARN Failed to CUDA")
              .words(FieldName.DEVICE, "\\[([0-9]{1,3})\\] \\S{1,100} NCCL WARN")
              .bytes(FieldName.REQUESTED, "Failed to CUDA [a-z]{4,8} " + SIZE),
          MessageForm.of(
                  MessageKind.RMM,
                  "std::bad_alloc: (?:(?!std::bad_a).){0,400}?" + RMM_REASON,
                  "aximum pool size exceeded",
                  "cudaErrorMemoryAllocation",
                  "not enough room")
              .words(FieldName.REASON, RMM_REASON),
          MessageForm.of(
                  MessageKind.RMM,
                  "\\[A\\]\\[Stream [^\\]]{1,40}\\]\\[Upstream .{1,60}\\[FAILURE ",
                  "[FAILURE ")
              .bytes(FieldName.REQUESTED, "\\[Upstream " + SIZE)
              .words(FieldName.REASON, "\\[FAILURE ([^\\]]{1,100})"),
          MessageForm.of(
                  MessageKind.RMM_LOG,
                  "Thread,Time,Action,Pointer,Size,Stream|Event Type,Device ID,Address,Stream,",
                  "Thread,Time,Action",
                  "Event Type,Device ID")
              .part(RmmRecords.ROW, ",allocate", ",free,", "Alloc,", "Free,", "Realloc,")
              .count(FieldName.RECORDS, RmmRecords.ROW)
              .count(FieldName.FAILURES, RmmRecords.FAILURE)
              .bytes(FieldName.TOTAL, RmmRecords.LEGACY_TOTAL + RmmRecords.BYTES)
              .bytes(FieldName.REQUESTED, ",allocate failure,[^,\\s]{1,20}," + RmmRecords.BYTES),
          MessageForm.of(
                  MessageKind.ONNXRUNTIME,
                  "(?:running [A-Za-z0-9_]{1,60} node\\. Name:'[^']{1,200}' .{1,500}?)?"
                      + "Failed to allocate memory for requested buffer of size",
                  "Failed to allocate memory for requested buffer")
              .words(FieldName.OPERATION, "node\\. Name:'([^']{1,200})'")
              .bytes(FieldName.REQUESTED, "requested buffer of size " + BYTES),
          MessageForm.of(
                  MessageKind.LLAMA_CPP,
                  "ggml_backend_[a-z_]{1,80}: allocating -?[0-9.]{1,20} MiB on device"
                      + " [0-9]{1,3}(?:: [A-Za-z]{1,20} failed: out of memory)?",
                  "ggml_backend_")
              .part(
                  "failed to allocate [A-Za-z0-9_]{1,40} buffer of size -?[0-9]",
                  " buffer of size ")
              .bytes(FieldName.REQUESTED, ": allocating " + SIZE)
              .words(FieldName.DEVICE, "MiB on device ([0-9]{1,3})")
              .words(FieldName.BUFFER_NAME, "failed to allocate ([A-Za-z0-9_]{1,40}) buffer")
              .bytes(FieldName.REQUESTED, "buffer of size " + BYTES),
          MessageForm.of(
              MessageKind.CUDA,
              "(?:CUDA|HIP) error: out of memory|cudaErrorMemoryAllocation(?!"
                  + " ?[=:;])|CUDA_ERROR_OUT_OF_MEMORY(?!"
                  + " ?[=;])|hipErrorOutOfMemory|CU(?:BLAS|DNN)_STATUS_ALLOC_FAILED|cudaMalloc"
                  + " failed: out of memory",
              "error: out of memory",
              "cudaErrorMemoryAllocation",
              "CUDA_ERROR_OUT_OF_MEMORY",
              "hipErrorOutOfMemory",
              "_STATUS_ALLOC_FAILED",
              "cudaMalloc failed"),
          MessageForm.of(
                  MessageKind.HOST,
                  "Out of memory: Kill(?:ed)? process [0-9]|DefaultCPUAllocator: (?:can't|not)"
                      + "|\\(pid\\(?s?\\)? ?[0-9 ,]{1,60}\\) is killed by signal: Killed",
                  "Out of memory: Kill",
                  "DefaultCPUAllocator:",
                  "is killed by signal: Killed")
              .bytes(FieldName.REQUESTED, "tried to allocate " + SIZE)
              .words(FieldName.REASON, "Kill(?:ed)? process ([0-9]{1,10} \\([^)]{1,40}\\))"));

  private LibraryForms() {}
}
