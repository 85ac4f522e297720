package dev.vramscope.explain;

import java.util.List;

/**
 * What a text says about failed requests.
 *
 * @param conclusions from each message, failures first; empty if the text has none
 */
public record Explanation(List<Conclusion> conclusions) {
  public Explanation {
    conclusions = List.copyOf(conclusions);
  }

  /** Reads a text; its length is the caller's to limit. */
  public static Explanation of(String text) {
    List<Finding> findings = LogReader.read(text);
    return new Explanation(
        findings.stream()
            .sorted((a, b) -> Boolean.compare(b.kind().isFailure(), a.kind().isFailure()))
            .map(finding -> conclusion(finding, findings))
            .toList());
  }

  private static Conclusion conclusion(Finding finding, List<Finding> all) {
    return switch (finding.kind()) {
      case TORCH -> TorchConclusion.of(finding);
      case TORCH_ASYNC, TORCH_MPS, TORCH_NVML, MEMORY_SUMMARY -> TorchReports.of(finding);
      case XLA_OOM -> XlaConclusion.of(finding);
      case BFC, BFC_WARNING, TF_TENSOR -> BfcConclusion.of(finding, all);
      case XLA_TPU, XLA_TPU_RUNTIME, XLA_SINGLE, XLA_ABORT -> TpuConclusion.of(finding);
      case NCCL, RMM, RMM_LOG, CUPY, ONNXRUNTIME, LLAMA_CPP, CUDA, HOST, NVIDIA_SMI ->
          LibraryConclusion.of(finding);
    };
  }
}
