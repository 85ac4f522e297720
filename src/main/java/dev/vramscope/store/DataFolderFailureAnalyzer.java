package dev.vramscope.store;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says in two sentences, instead of a stack trace, why the data folder cannot be used. */
final class DataFolderFailureAnalyzer extends AbstractFailureAnalyzer<DataFolderException> {
  @Override
  protected FailureAnalysis analyze(Throwable root, DataFolderException cause) {
    return new FailureAnalysis(cause.getMessage(), cause.next(), cause);
  }
}
