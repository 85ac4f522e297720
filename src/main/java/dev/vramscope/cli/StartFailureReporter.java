package dev.vramscope.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringBootExceptionReporter;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.ArgumentResolver;

/**
 * Prints why the service cannot start to the standard error: what is wrong, where, and what to do,
 * in one line. It precedes Spring's reporter, which logs a report of fifteen lines.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class StartFailureReporter implements SpringBootExceptionReporter {
  private static final Logger LOG = LoggerFactory.getLogger(StartFailureReporter.class);
  private static final String OWN_PACKAGE = "dev.vramscope";

  private final List<FailureAnalyzer> analyzers;

  StartFailureReporter(@Nullable ConfigurableApplicationContext context) {
    ArgumentResolver arguments =
        context == null
            ? ArgumentResolver.none()
            : ArgumentResolver.of(Environment.class, context.getEnvironment());
    // Analyzers of Spring that need another argument are skipped.
    analyzers =
        SpringFactoriesLoader.forDefaultResourceLocation(
                StartFailureReporter.class.getClassLoader())
            .load(
                FailureAnalyzer.class,
                arguments,
                (_, name, skipped) -> LOG.trace("{} is not used", name, skipped))
            .stream()
            .filter(analyzer -> analyzer.getClass().getPackageName().startsWith(OWN_PACKAGE))
            .toList();
  }

  @Override
  public boolean reportException(Throwable failure) {
    for (FailureAnalyzer analyzer : analyzers) {
      FailureAnalysis analysis = analyzer.analyze(failure);
      if (analysis != null) {
        LOG.debug("The service cannot start", failure);
        System.err.println("vramscope cannot start: " + text(analysis));
        return true;
      }
    }
    return false;
  }

  private static String text(FailureAnalysis analysis) {
    String sentence = String.valueOf(analysis.getDescription());
    String what = Character.toLowerCase(sentence.charAt(0)) + sentence.substring(1);
    String next = String.valueOf(analysis.getAction());
    return what + (what.endsWith(".") ? "" : ".") + " " + next;
  }
}
