package dev.vramscope.allocator.bfc;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The scopes in which chunks were allocated; an allocator without scopes has an empty table. */
final class ChunkScopes {
  private @Nullable List<Scope>[] bySlot = empty(0);

  /** A chunk was allocated inside these scopes. */
  void set(int slot, List<Scope> scopes) {
    if (slot < bySlot.length) {
      bySlot[slot] = scopes;
    } else if (!scopes.isEmpty()) {
      bySlot = Arrays.copyOf(bySlot, Math.max(slot + 1, 2 * bySlot.length));
      bySlot[slot] = scopes;
    }
  }

  List<Scope> get(int slot) {
    List<Scope> scopes = slot < bySlot.length ? bySlot[slot] : null;
    return scopes == null ? List.of() : scopes;
  }

  /** A chunk was freed. */
  void clear(int slot) {
    if (slot < bySlot.length) {
      bySlot[slot] = null;
    }
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static @Nullable List<Scope>[] empty(int length) {
    return new List[length];
  }
}
