package dev.vramscope.allocator.bfc;

import java.util.ArrayList;
import java.util.List;

/**
 * What each thread is doing while it allocates. It is read before the allocator's lock is taken,
 * and shows in logs. Threads that say nothing pay one test.
 */
public final class Annotations {
  private static final class Context {
    String operation = "";
    List<Scope> scopes = List.of();
  }

  private final ThreadLocal<Context> contexts = ThreadLocal.withInitial(Context::new);
  private volatile boolean used;

  /** Names the operation that requests of this thread are for; empty for none. */
  public void setOperation(String name) {
    context().operation = name;
  }

  /** Enters a scope on this thread. */
  public void push(Scope scope) {
    Context context = context();
    List<Scope> scopes = new ArrayList<>(context.scopes);
    scopes.add(scope);
    context.scopes = List.copyOf(scopes);
  }

  /**
   * Leaves the scope entered last on this thread.
   *
   * @throws IllegalStateException if there is none
   */
  public void pop() {
    Context context = context();
    if (context.scopes.isEmpty()) {
      throw new IllegalStateException("This thread is in no scope.");
    }
    context.scopes = context.scopes.subList(0, context.scopes.size() - 1);
  }

  private Context context() {
    used = true;
    return contexts.get();
  }

  String operation() {
    return used ? contexts.get().operation : "";
  }

  List<Scope> scopes() {
    return used ? contexts.get().scopes : List.of();
  }
}
