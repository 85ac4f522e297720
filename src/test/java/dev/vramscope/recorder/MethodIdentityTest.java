package dev.vramscope.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class MethodIdentityTest {
  private static final StackWalker WALKER =
      StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

  private static List<StackWalker.StackFrame> walk(int ignored) {
    return WALKER.walk(frames -> frames.limit(2).toList());
  }

  private static List<StackWalker.StackFrame> walk(String ignored) {
    return WALKER.walk(frames -> frames.limit(2).toList());
  }

  // first() and second() call at the same bytecode index.
  private static List<StackWalker.StackFrame> first() {
    return walk(1);
  }

  private static List<StackWalker.StackFrame> second() {
    return walk(1);
  }

  @Test
  void readsTheResolvedMethodOnThisJvm() {
    assertThat(MethodIdentity.readsResolvedMethod()).isTrue();
  }

  @Test
  void identitiesAreEqualForEqualMethodsOnly() {
    assertIdentifiesMethods(MethodIdentity::of);
  }

  @Test
  void namesIdentifyMethodsIfTheFieldIsInaccessible() {
    assertIdentifiesMethods(MethodIdentity::named);
  }

  private static void assertIdentifiesMethods(Function<StackWalker.StackFrame, Object> identity) {
    assertThat(first().get(1).getByteCodeIndex()).isEqualTo(second().get(1).getByteCodeIndex());
    Object first = identity.apply(first().get(1));
    assertThat(identity.apply(first().get(1))).isEqualTo(first).hasSameHashCodeAs(first);
    assertThat(identity.apply(second().get(1))).isNotEqualTo(first);

    Object overloaded = identity.apply(walk(1).get(0));
    assertThat(identity.apply(walk(2).get(0))).isEqualTo(overloaded);
    assertThat(identity.apply(walk("").get(0))).isNotEqualTo(overloaded);
  }
}
