package dev.vramscope.cli.log;

import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.StackTraceElementProxy;
import dev.vramscope.model.VisibleText;
import org.jspecify.annotations.Nullable;

/** An exception of a log entry, with its causes, whose messages are one line each. */
record VisibleThrowable(IThrowableProxy throwable) implements IThrowableProxy {
  static @Nullable IThrowableProxy of(@Nullable IThrowableProxy throwable) {
    return throwable == null ? null : new VisibleThrowable(throwable);
  }

  @Override
  public @Nullable String getMessage() {
    return line(throwable.getMessage());
  }

  /** The text of an exception that has its own {@code toString}. */
  @Override
  public @Nullable String getOverridingMessage() {
    return line(throwable.getOverridingMessage());
  }

  private static @Nullable String line(@Nullable String text) {
    return text == null ? null : VisibleText.line(text);
  }

  @Override
  public String getClassName() {
    return throwable.getClassName();
  }

  @Override
  public StackTraceElementProxy[] getStackTraceElementProxyArray() {
    return throwable.getStackTraceElementProxyArray();
  }

  @Override
  public int getCommonFrames() {
    return throwable.getCommonFrames();
  }

  @Override
  public @Nullable IThrowableProxy getCause() {
    return of(throwable.getCause());
  }

  @Override
  public IThrowableProxy @Nullable [] getSuppressed() {
    IThrowableProxy[] suppressed = throwable.getSuppressed();
    if (suppressed == null) {
      return null;
    }
    IThrowableProxy[] visible = new IThrowableProxy[suppressed.length];
    for (int i = 0; i < visible.length; i++) {
      visible[i] = new VisibleThrowable(suppressed[i]);
    }
    return visible;
  }

  @Override
  public boolean isCyclic() {
    return throwable.isCyclic();
  }
}
