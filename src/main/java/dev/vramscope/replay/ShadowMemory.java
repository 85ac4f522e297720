package dev.vramscope.replay;

import dev.vramscope.device.DeviceMemory;
import java.util.HashMap;
import java.util.Map;

/**
 * Memory whose addresses one source chooses and another one has to give as well: the first is
 * simulated, the second a card's.
 */
final class ShadowMemory implements DeviceMemory {
  private final DeviceMemory chosen;
  private final DeviceMemory card;
  private final Map<Long, Long> onCard = new HashMap<>();

  ShadowMemory(DeviceMemory chosen, DeviceMemory card) {
    this.chosen = chosen;
    this.card = card;
  }

  @Override
  public long totalBytes() {
    return chosen.totalBytes();
  }

  @Override
  public long freeBytes() {
    return chosen.freeBytes();
  }

  @Override
  public long allocate(long bytes) {
    long address = chosen.allocate(bytes);
    if (address != 0) {
      long given = bytes > card.totalBytes() ? 0 : card.allocate(bytes);
      if (given == 0) {
        throw new NoRoomOnCardException("the card has no " + bytes + " bytes left");
      }
      onCard.put(address, given);
    }
    return address;
  }

  @Override
  public void free(long address) {
    chosen.free(address);
    Long given = onCard.remove(address);
    if (given != null) {
      card.free(given);
    }
  }

  /** Gives back to the card what is out. */
  void freeAll() {
    onCard.values().forEach(card::free);
    onCard.clear();
  }
}
