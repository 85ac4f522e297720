package dev.vramscope.replay;

import dev.vramscope.device.VirtualMemory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Virtual memory of a simulated card, every call of which a real card makes too. */
final class ShadowVirtualMemory implements VirtualMemory {
  private record Reservation(long onCard, long bytes) {}

  private final VirtualMemory simulated;
  private final VirtualMemory card;
  private final TreeMap<Long, Reservation> reservations = new TreeMap<>();
  private final Map<Long, Long> pages = new HashMap<>();
  private final TreeMap<Long, Long> mappedBytes = new TreeMap<>();

  ShadowVirtualMemory(VirtualMemory simulated, VirtualMemory card) {
    this.simulated = simulated;
    this.card = card;
  }

  @Override
  public long granularityBytes() {
    return simulated.granularityBytes();
  }

  @Override
  public long reserve(long bytes) {
    long address = simulated.reserve(bytes);
    if (address != 0) {
      reservations.put(address, new Reservation(given(card.reserve(bytes), bytes), bytes));
    }
    return address;
  }

  @Override
  public void freeReservation(long address, long bytes) {
    simulated.freeReservation(address, bytes);
    card.freeReservation(onCard(address), bytes);
    reservations.remove(address);
  }

  @Override
  public long createPage(long bytes) {
    if (bytes % card.granularityBytes() != 0) {
      throw new NoRoomOnCardException(
          "the card's pages are of " + card.granularityBytes() + " bytes, not of " + bytes);
    }
    long page = simulated.createPage(bytes);
    if (page != 0) {
      pages.put(page, given(card.createPage(bytes), bytes));
    }
    return page;
  }

  @Override
  public void map(long address, long bytes, long page) {
    simulated.map(address, bytes, page);
    card.map(onCard(address), bytes, known(pages.get(page)));
    mappedBytes.put(address, bytes);
  }

  @Override
  public void setAccess(long address, long bytes) {
    simulated.setAccess(address, bytes);
    card.setAccess(onCard(address), bytes);
  }

  @Override
  public void unmap(long address, long bytes) {
    simulated.unmap(address, bytes);
    card.unmap(onCard(address), bytes);
    mappedBytes.subMap(address, address + bytes).clear();
  }

  @Override
  public void releasePage(long page) {
    simulated.releasePage(page);
    card.releasePage(known(pages.remove(page)));
  }

  private long onCard(long address) {
    Map.Entry<Long, Reservation> reservation = reservations.floorEntry(address);
    return reservation.getValue().onCard() + address - reservation.getKey();
  }

  /** The simulated card has refused what it does not know before. */
  private static long known(@Nullable Long page) {
    return Objects.requireNonNull(page);
  }

  private static long given(long answer, long bytes) {
    if (answer == 0) {
      throw new NoRoomOnCardException("the card has no " + bytes + " bytes left");
    }
    return answer;
  }

  /** Gives back to the card what is out. */
  void freeAll() {
    List<Map.Entry<Long, Long>> mapped = new ArrayList<>(mappedBytes.entrySet());
    mapped.forEach(range -> card.unmap(onCard(range.getKey()), range.getValue()));
    mappedBytes.clear();
    pages.values().forEach(card::releasePage);
    pages.clear();
    reservations.values().forEach(all -> card.freeReservation(all.onCard(), all.bytes()));
    reservations.clear();
  }
}
