package dev.vramscope.cli.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.LoggerContextVO;
import dev.vramscope.model.VisibleText;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.KeyValuePair;

/** A log entry whose message, exception and thread are visible text. */
record VisibleEvent(ILoggingEvent event) implements ILoggingEvent {
  @Override
  public String getFormattedMessage() {
    return VisibleText.line(String.valueOf(event.getFormattedMessage()));
  }

  @Override
  public @Nullable IThrowableProxy getThrowableProxy() {
    return VisibleThrowable.of(event.getThrowableProxy());
  }

  @Override
  public String getThreadName() {
    return VisibleText.line(event.getThreadName());
  }

  /** The pattern of the message, which is text of the program. */
  @Override
  public String getMessage() {
    return event.getMessage();
  }

  @Override
  public Object @Nullable [] getArgumentArray() {
    return event.getArgumentArray();
  }

  @Override
  public Level getLevel() {
    return event.getLevel();
  }

  @Override
  public String getLoggerName() {
    return event.getLoggerName();
  }

  @Override
  public LoggerContextVO getLoggerContextVO() {
    return event.getLoggerContextVO();
  }

  @Override
  public StackTraceElement[] getCallerData() {
    return event.getCallerData();
  }

  @Override
  public boolean hasCallerData() {
    return event.hasCallerData();
  }

  @Override
  public List<Marker> getMarkerList() {
    return event.getMarkerList();
  }

  @Override
  public Map<String, String> getMDCPropertyMap() {
    return event.getMDCPropertyMap();
  }

  @Override
  @SuppressWarnings("deprecation") // Older encoders call it.
  public Map<String, String> getMdc() {
    return event.getMdc();
  }

  @Override
  public long getTimeStamp() {
    return event.getTimeStamp();
  }

  @Override
  public int getNanoseconds() {
    return event.getNanoseconds();
  }

  @Override
  public Instant getInstant() {
    return event.getInstant();
  }

  @Override
  public long getSequenceNumber() {
    return event.getSequenceNumber();
  }

  @Override
  public @Nullable List<KeyValuePair> getKeyValuePairs() {
    return event.getKeyValuePairs();
  }

  @Override
  public void prepareForDeferredProcessing() {
    event.prepareForDeferredProcessing();
  }
}
