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

  /** Free ranges outside all reservations: start to size. */
  private final FreeAddresses outside;

  private final TreeMap<Long, Long> reservations = new TreeMap<>();

  /** Free ranges inside reservations; none reaches into another reservation. */
  private final TreeMap<Long, Long> rests = new TreeMap<>();

  ReservedAddresses(long base, long bytes) {
    outside = new FreeAddresses(base, bytes);
  }

  @Override
  public long allocate(long bytes) {
    Map.Entry<Long, Long> rest = FreeAddresses.first(rests, bytes);
    if (rest != null) {
      rests.remove(rest.getKey());
      return take(rest.getKey(), rest.getValue(), bytes);
    }
    long reserved = (bytes + UNIT - 1) / UNIT * UNIT;
    long start = outside.takeHighest(reserved);
    if (start == 0) {
      return 0;
    }
    reservations.put(start, reserved);
    return take(start, reserved, bytes);
  }

  private long take(long start, long size, long bytes) {
    if (size > bytes) {
      rests.put(start + bytes, size - bytes);
    }
    return start;
  }

  @Override
  public void free(long address, long bytes) {
    Map.Entry<Long, Long> reservation = reservations.floorEntry(address);
    long start = address;
    long end = address + bytes;
    Long after = rests.get(end);
    if (after != null && end < reservation.getKey() + reservation.getValue()) {
      rests.remove(end);
      end += after;
    }
    Map.Entry<Long, Long> before = rests.lowerEntry(address);
    if (before != null
        && before.getKey() + before.getValue() == address
        && address > reservation.getKey()) {
      start = before.getKey();
      rests.remove(start);
    }
    if (start == reservation.getKey() && end - start == reservation.getValue()) {
      reservations.remove(start);
      outside.add(start, end - start);
    } else {
      rests.put(start, end - start);
    }
  }
}
