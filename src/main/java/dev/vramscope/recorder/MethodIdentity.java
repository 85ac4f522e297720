package dev.vramscope.recorder;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The method of a stack frame, as an object that is equal for equal methods.
 *
 * <p>A class and a bytecode index do not name a method: two short methods of one class often call
 * at the same index. Asking a frame for its method's name costs the JVM 130 ns, half of the walk.
 * HotSpot has resolved the method anyway and left it in a field of the frame, one object for each
 * method. Where the JVM lets us read it ({@code --add-opens java.base/java.lang=ALL-UNNAMED}, which
 * our jar asks for), that object is taken; elsewhere name and type are.
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

  /** Whether methods are told apart without asking for their names. */
  static boolean isCheap() {
    return RESOLVED != null;
  }

  private static @Nullable VarHandle resolved() {
    try {
      Class<?> frame = Class.forName("java.lang.ClassFrameInfo");
      return MethodHandles.privateLookupIn(frame, MethodHandles.lookup())
          .findVarHandle(frame, "classOrMemberName", Object.class);
    } catch (ReflectiveOperationException notThisJvm) {
      // Not a loss: methods are asked for their names.
      return null;
    }
  }
}
