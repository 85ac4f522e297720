package dev.vramscope.cli.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.spi.ContextAwareBase;

/** Encodes events as another encoder does, with visible texts. */
final class VisibleEncoder extends ContextAwareBase implements Encoder<ILoggingEvent> {
  private final Encoder<ILoggingEvent> encoder;

  VisibleEncoder(Encoder<ILoggingEvent> encoder) {
    this.encoder = encoder;
    setContext(encoder.getContext());
  }

  @Override
  public byte[] encode(ILoggingEvent event) {
    return encoder.encode(new VisibleEvent(event));
  }

  @Override
  public byte[] headerBytes() {
    return encoder.headerBytes();
  }

  @Override
  public byte[] footerBytes() {
    return encoder.footerBytes();
  }

  @Override
  public void start() {
    encoder.start();
  }

  @Override
  public void stop() {
    encoder.stop();
  }

  @Override
  public boolean isStarted() {
    return encoder.isStarted();
  }
}
