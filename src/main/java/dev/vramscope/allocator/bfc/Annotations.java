package dev.vramscope.allocator.bfc;

import java.util.ArrayList;
import java.util.List;

/**
 * The operation and the scopes that each thread allocates for; they appear in logs. They are read
 * before the allocator's lock is acquired. Until the first annotation is set, reading them costs
 * one volatile read.
 */
public final class Annotations {
  private static final class Context {
    String operation = "";
    List<Scope> scopes = List.of();
  }

  private final ThreadLocal<Context> contexts = ThreadLocal.withInitial(Context::new);
  private volatile boolean used;

  /** Sets the operation that this thread allocates for; empty for none. */
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
   * Leaves the innermost scope of this thread.
   *
   * @throws IllegalStateException if this thread is in no scope
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
