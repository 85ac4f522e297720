package dev.vramscope.device.sim;

import java.util.Map;
import java.util.TreeMap;

/**
 * Addresses as NVIDIA's driver assigns them on Linux, as far as recordings show it: memory lies in
 * reservations of a multiple of 32 MiB, each below the one before it; the rest of a reservation
 * serves later requests that fit, the lowest rest first. A reservation without memory is given up.
 *
 * <pre>
 *   request   74 MiB          20 MiB          74 MiB               20 MiB
 *             [#######..]     reserved below  [#######..] below    [#########] in its rest
 * </pre>
 */
final class ReservedAddresses implements Addresses {
  private static final long UNIT = 32L << 20;

  private final FreeAddresses outside;

  /** What is free of each reservation, by its start. */
  private final TreeMap<Long, Reservation> reservations = new TreeMap<>();

  private record Reservation(long bytes, FreeAddresses rest) {}

  ReservedAddresses(long base, long bytes) {
    outside = new FreeAddresses(base, bytes);
  }

  @Override
  public long allocate(long bytes) {
    for (Reservation reservation : reservations.values()) {
      long address = reservation.rest().takeLowest(bytes);
      if (address != 0) {
        return address;
      }
    }
    long reserved = (bytes + UNIT - 1) / UNIT * UNIT;
    long start = outside.takeHighest(reserved);
    if (start == 0) {
      return 0;
    }
    FreeAddresses rest = new FreeAddresses(start, reserved);
    reservations.put(start, new Reservation(reserved, rest));
    return rest.takeLowest(bytes);
  }

  @Override
  public void free(long address, long bytes) {
    Map.Entry<Long, Reservation> entry = reservations.floorEntry(address);
    Reservation reservation = entry.getValue();
    reservation.rest().add(address, bytes);
    if (reservation.rest().isWhole()) {
      reservations.remove(entry.getKey());
      outside.add(entry.getKey(), reservation.bytes());
    }
  }
}
