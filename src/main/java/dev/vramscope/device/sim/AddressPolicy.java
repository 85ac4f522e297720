package dev.vramscope.device.sim;

/** How a simulated device assigns addresses. */
public enum AddressPolicy {
  /** The lowest free range that is large enough. */
  FIRST_FIT {
    @Override
    Addresses addresses(long base, long bytes) {
      return new LowestAddresses(base, bytes, /* reuses= */ true);
    }
  },
  /** Addresses are never reused. */
  BUMP {
    @Override
    Addresses addresses(long base, long bytes) {
      return new LowestAddresses(base, bytes, /* reuses= */ false);
    }
  },
  /** The highest free range that is large enough. */
  DESCENDING {
    @Override
    Addresses addresses(long base, long bytes) {
      return new HighestAddresses(base, bytes);
    }
  },
  /** Mostly downwards, as NVIDIA's driver does it on Linux. */
  DRIVER {
    @Override
    Addresses addresses(long base, long bytes) {
      return new ReservedAddresses(base, bytes);
    }
  };

  abstract Addresses addresses(long base, long bytes);
}
