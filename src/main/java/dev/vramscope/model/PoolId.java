package dev.vramscope.model;

/**
 * The identifier of a memory pool, as PyTorch writes it: {@code (0, 0)} is the default pool, {@code
 * (n, 0)} the private pool of a captured graph, {@code (0, n)} a private pool made by the user.
 */
public record PoolId(long graph, long user) {
  /** The default pool. */
  public static final PoolId DEFAULT = new PoolId(0, 0);

  public boolean isPrivate() {
    return graph != 0 || user != 0;
  }

  @Override
  public String toString() {
    return "(" + graph + ", " + user + ")";
  }
}
