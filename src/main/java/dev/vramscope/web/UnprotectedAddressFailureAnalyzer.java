package dev.vramscope.web;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says how to start instead. */
final class UnprotectedAddressFailureAnalyzer
    extends AbstractFailureAnalyzer<UnprotectedAddressException> {
  @Override
  protected FailureAnalysis analyze(Throwable root, UnprotectedAddressException cause) {
    return new FailureAnalysis(
        "vramscope was told to listen on "
            + cause.address()
            + ", where other machines can reach it, but has no token: anybody could read and delete"
            + " every snapshot.",
        """
        Do one of these:
          - set a token, a long random text, and start again:
              VRAMSCOPE_TOKEN="$(openssl rand -hex 24)" script/server --server.address=%1$s
            browsers are then asked for it, and curl sends -H "Authorization: Bearer $VRAMSCOPE_TOKEN";
          - listen on this machine only (the default): --server.address=127.0.0.1\
        """
            .formatted(cause.address()),
        cause);
  }
}
