package dev.vramscope.allocator.bfc;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The scopes that chunks were allocated in; the table stays empty until a scope is used. */
final class ChunkScopes {
  private @Nullable List<Scope>[] bySlot = empty(0);

  /** Records the scopes of a newly allocated chunk. */
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

  /** Removes the scopes of a freed chunk. */
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
