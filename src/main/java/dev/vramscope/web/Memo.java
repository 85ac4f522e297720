package dev.vramscope.web;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A value made once, when first asked for; others who ask meanwhile wait for it. */
final class Memo<T> {
  private @Nullable Supplier<T> maker;
  private volatile @Nullable T made;

  Memo(Supplier<T> maker) {
    this.maker = maker;
  }

  T get() {
    T value = made;
    return value == null ? make() : value;
  }

  private synchronized T make() {
    T value = made;
    if (value == null && maker != null) {
      value = maker.get();
      made = value;
      maker = null; // What it was made from may go.
    }
    if (value == null) {
      throw new IllegalStateException("made nothing");
    }
    return value;
  }
}
