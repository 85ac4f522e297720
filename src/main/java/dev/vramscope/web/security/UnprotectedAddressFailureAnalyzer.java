package dev.vramscope.web.security;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains how to start the server with a token or on loopback. */
final class UnprotectedAddressFailureAnalyzer
    extends AbstractFailureAnalyzer<UnprotectedAddressException> {
  @Override
  protected FailureAnalysis analyze(Throwable root, UnprotectedAddressException cause) {
    return new FailureAnalysis(
        "it is configured to listen on "
            + cause.address()
            + ", which other machines can reach, but it has no token: anyone could read and delete"
            + " every snapshot.",
        """
        Do one of the following:
          - set a token, a long random string, and start again:
              VRAMSCOPE_TOKEN="$(openssl rand -hex 24)" script/server --server.address=%1$s
            (browsers then show a login form; curl needs -H "Authorization: Bearer $VRAMSCOPE_TOKEN");
          - listen on loopback only (the default): --server.address=127.0.0.1\
        """
            .formatted(cause.address()),
        cause);
  }
}
