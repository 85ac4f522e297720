package dev.vramscope.model;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The algorithm of an allocator, which decides what its segments and free blocks can be used for.
 */
public enum AllocatorFamily {
  /** PyTorch's caching allocator. */
  CACHING("PyTorch's caching allocator"),
  /** XLA's BFC allocator: regions and chunks, one pool for all streams. */
  BFC("XLA's BFC allocator"),
  /** The driver without a cache: every block is a driver allocation of its own. */
  DIRECT("the driver, without a cache"),
  /** An allocator that wrote its requests and frees, but not what it holds to serve them. */
  UNRECORDED("an allocator of which only the requests are recorded");

  private final String label;

  AllocatorFamily(String label) {
    this.label = label;
  }

  public boolean isCaching() {
    return this == CACHING;
  }

  public boolean isBfc() {
    return this == BFC;
  }

  public boolean isDirect() {
    return this == DIRECT;
  }

  /** Whether the allocator keeps free memory that a file can show. */
  public boolean isPooling() {
    return isCaching() || isBfc();
  }

  /** The text for sentences. */
  public String label() {
    return label;
  }

  /** The identifier in files and responses. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The algorithms that can serve the requests of a recording; all but an unrecorded one. */
  public static List<AllocatorFamily> replayable() {
    return List.of(CACHING, BFC, DIRECT);
  }

  /** The family with this identifier, if there is one. */
  public static Optional<AllocatorFamily> of(String id) {
    return Arrays.stream(values()).filter(family -> family.id().equals(id)).findFirst();
  }
}
