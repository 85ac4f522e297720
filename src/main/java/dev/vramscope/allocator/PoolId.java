package dev.vramscope.allocator;

/**
 * Names a pool as CUDA graphs do: {@code (0, n)} for a pool made by a library, {@code (n, 0)} for
 * one made by a user, {@code (0, 0)} for the default pools.
 */
public record PoolId(long graph, long handle) {
  public static final PoolId DEFAULT = new PoolId(0, 0);

  public boolean isDefault() {
    return equals(DEFAULT);
  }

  @Override
  public String toString() {
    return "(" + graph + ", " + handle + ")";
  }
}
