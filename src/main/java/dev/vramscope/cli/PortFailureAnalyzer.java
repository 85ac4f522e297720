package dev.vramscope.cli;

import java.net.BindException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.core.env.Environment;

/** Reports a port or an address that the service cannot listen on. */
final class PortFailureAnalyzer implements FailureAnalyzer {
  private static final int MAX_CAUSES = 20;

  private final Environment environment;

  PortFailureAnalyzer(Environment environment) {
    this.environment = environment;
  }

  @Override
  public @Nullable FailureAnalysis analyze(Throwable failure) {
    @Nullable Throwable cause = failure;
    for (int depth = 0; cause != null && depth < MAX_CAUSES; depth++) {
      if (cause instanceof PortInUseException used) {
        return analysis(
            "port " + used.getPort() + " is in use by another process.",
            "Stop that process, or choose another port with --server.port=PORT.",
            used);
      }
      if (cause instanceof BindException refused) {
        return analysis(
            "it cannot listen on "
                + environment.getProperty("server.address")
                + " port "
                + environment.getProperty("server.port")
                + ": "
                + refused.getMessage()
                + ".",
            "Choose others with --server.address=ADDRESS and --server.port=PORT.",
            refused);
      }
      if (isOutOfRange(cause)) {
        return analysis(
            "the setting server.port is "
                + environment.getProperty("server.port")
                + ", which is not a port.",
            "Choose one from 1 to 65535, or 0 for any free port, with --server.port=PORT.",
            cause);
      }
      cause = cause.getCause();
    }
    return null;
  }

  /** Whether a failure is that of a port that does not exist. */
  static boolean isOutOfRange(Throwable failure) {
    return failure instanceof IllegalArgumentException
        && String.valueOf(failure.getMessage()).startsWith("port out of range");
  }

  private static FailureAnalysis analysis(String what, String next, Throwable cause) {
    return new FailureAnalysis(what, next, cause);
  }
}
