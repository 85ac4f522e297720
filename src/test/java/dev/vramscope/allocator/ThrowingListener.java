package dev.vramscope.allocator;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/** Throws an exception from one callback and ignores all others. */
final class ThrowingListener {
  static final String MESSAGE = "thrown by a listener";

  /** How often the callback was called. */
  int calls;

  private final Method callback;

  ThrowingListener(Method callback) {
    this.callback = callback;
  }

  @SuppressWarnings("ReferenceEquality") // a proxy has no equals of its own
  AllocatorListener proxy() {
    return (AllocatorListener)
        Proxy.newProxyInstance(
            AllocatorListener.class.getClassLoader(),
            new Class<?>[] {AllocatorListener.class},
            (proxy, method, arguments) -> {
              if (method.equals(callback)) {
                calls++;
                throw new UnsupportedOperationException(MESSAGE);
              }
              // Listeners.remove() compares listeners.
              return method.getName().equals("equals") ? proxy == arguments[0] : null;
            });
  }
}
