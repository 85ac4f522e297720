package dev.vramscope.model;

/**
 * The name of a pool of segments: (0, 0) is the default pool, anything else a private one, of a
 * captured graph (first number) or made by the user (second number).
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
