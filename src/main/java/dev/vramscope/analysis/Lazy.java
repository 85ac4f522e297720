package dev.vramscope.analysis;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A value computed on first use. Concurrent first calls wait for one computation. */
public final class Lazy<T> {
  private @Nullable Supplier<T> supplier;
  private volatile @Nullable T value;

  public Lazy(Supplier<T> supplier) {
    this.supplier = supplier;
  }

  public T get() {
    T computed = value;
    return computed == null ? compute() : computed;
  }

  private synchronized T compute() {
    T computed = value;
    if (computed == null && supplier != null) {
      computed = supplier.get();
      value = computed;
      supplier = null; // Lets the garbage collector free what it captured.
    }
    if (computed == null) {
      throw new IllegalStateException("the supplier returned null");
    }
    return computed;
  }
}
