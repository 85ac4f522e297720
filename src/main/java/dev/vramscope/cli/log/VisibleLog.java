package dev.vramscope.cli.log;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.encoder.Encoder;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.logging.LoggingApplicationListener;
import org.springframework.context.ApplicationListener;
import org.springframework.core.Ordered;

/**
 * Puts a {@link VisibleEncoder} around the encoder of every appender, as soon as Spring Boot has
 * set them up: for the console, a file and structured logs, with any pattern.
 */
public final class VisibleLog
    implements ApplicationListener<ApplicationEnvironmentPreparedEvent>, Ordered {
  @Override
  public int getOrder() {
    return LoggingApplicationListener.DEFAULT_ORDER + 1;
  }

  @Override
  public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
    install();
  }

  /** Does the same for the appenders that exist now. */
  public static void install() {
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      for (Logger logger : context.getLoggerList()) {
        logger.iteratorForAppenders().forEachRemaining(VisibleLog::install);
      }
    }
  }

  private static void install(Appender<ILoggingEvent> appender) {
    if (appender instanceof OutputStreamAppender<ILoggingEvent> stream) {
      Encoder<ILoggingEvent> encoder = stream.getEncoder();
      if (encoder != null && !(encoder instanceof VisibleEncoder)) {
        stream.setEncoder(new VisibleEncoder(encoder));
      }
    }
  }
}
