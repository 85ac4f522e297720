package dev.vramscope.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Covers every method of {@link AllocatorListener}, also those added later. */
class ListenersTest {
  static List<Method> callbacks() {
    return Arrays.asList(AllocatorListener.class.getMethods());
  }

  @ParameterizedTest
  @MethodSource("callbacks")
  void listenerThatThrowsIsRemovedAndTheOthersAreCalled(Method callback) throws Exception {
    Listeners listeners = new Listeners();
    ThrowingListener throwing = new ThrowingListener(callback);
    ThrowingListener alsoThrowing = new ThrowingListener(callback);
    listeners.add(throwing.proxy());
    listeners.add(alsoThrowing.proxy());
    List<Throwable> reported = new ArrayList<>();
    Thread thread = Thread.currentThread();
    thread.setUncaughtExceptionHandler((where, e) -> reported.add(e));
    try {
      callback.invoke(listeners, arguments(callback));
      callback.invoke(listeners, arguments(callback));
    } finally {
      thread.setUncaughtExceptionHandler(null);
    }
    assertThat(throwing.calls).isEqualTo(1);
    assertThat(alsoThrowing.calls).isEqualTo(1);
    assertThat(listeners.isEmpty()).isTrue();
    assertThat(reported)
        .hasSize(2)
        .allSatisfy(e -> assertThat(e).hasStackTraceContaining(ThrowingListener.MESSAGE));
  }

  private static Object[] arguments(Method callback) {
    return Arrays.stream(callback.getParameterTypes()).map(ListenersTest::argument).toArray();
  }

  private static Object argument(Class<?> type) {
    if (type == long.class) {
      return 512L;
    }
    if (type == int.class) {
      return 1;
    }
    if (type == boolean.class) {
      return true;
    }
    return type.isEnum() ? type.getEnumConstants()[0] : "text";
  }
}
