package dev.vramscope.recorder;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Identifies the method of a stack frame by an object that is equal for equal methods.
 *
 * <p>A class and a bytecode index do not identify a method: two short methods of one class often
 * call at the same index. Getting the method name of a frame takes 130 ns, half of the time of the
 * walk. HotSpot has already resolved the method and stores it in a field of the frame, one object
 * for each method. If that field is accessible ({@code --add-opens
 * java.base/java.lang=ALL-UNNAMED}, which is set in the manifest of the jar), its value is used;
 * otherwise the name and the type are.
 */
final class MethodIdentity {
  private static final @Nullable VarHandle RESOLVED = resolved();

  private record Named(Class<?> type, String name, MethodType signature) {}

  private MethodIdentity() {}

  static Object of(StackWalker.StackFrame frame) {
    if (RESOLVED != null) {
      Object method = RESOLVED.get(frame);
      if (method != null) {
        return method;
      }
    }
    return named(frame);
  }

  static Object named(StackWalker.StackFrame frame) {
    return new Named(frame.getDeclaringClass(), frame.getMethodName(), frame.getMethodType());
  }

  /** Whether methods are distinguished without resolving their names. */
  static boolean readsResolvedMethod() {
    return RESOLVED != null;
  }

  private static @Nullable VarHandle resolved() {
    try {
      Class<?> frame = Class.forName("java.lang.ClassFrameInfo");
      return MethodHandles.privateLookupIn(frame, MethodHandles.lookup())
          .findVarHandle(frame, "classOrMemberName", Object.class);
    } catch (ReflectiveOperationException e) {
      // Another JVM, or not opened: methods are identified by their names.
      return null;
    }
  }
}
