package dev.vramscope.device.sim;

/** How a simulated device assigns addresses. */
public enum AddressPolicy {
  /** The lowest free range that is large enough. */
  FIRST_FIT,
  /** Addresses are never reused. */
  BUMP
}
