package dev.vramscope.cli;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;

/** Reports a heap in which the service cannot start. */
final class HeapFailureAnalyzer implements FailureAnalyzer {
  @Override
  public @Nullable FailureAnalysis analyze(Throwable failure) {
    return HeapShortage.isCause(failure)
        ? new FailureAnalysis(
            "the Java heap of " + (Runtime.getRuntime().maxMemory() >> 20) + " MiB is too small.",
            "Give it more with -Xmx; 256 MiB are enough for small snapshots.",
            failure)
        : null;
  }
}
