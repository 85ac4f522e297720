package dev.vramscope.store.files;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports an unusable data folder as description and action instead of a stack trace. */
final class DataFolderFailureAnalyzer extends AbstractFailureAnalyzer<DataFolderException> {
  @Override
  protected FailureAnalysis analyze(Throwable root, DataFolderException cause) {
    return new FailureAnalysis(cause.getMessage(), cause.next(), cause);
  }
}
