package dev.vramscope.device.sim;

/** Which addresses a simulated card gives. */
public enum AddressPolicy {
  /** The lowest that are free. */
  FIRST_FIT,
  /** Always new ones, as long as there are. */
  BUMP
}
