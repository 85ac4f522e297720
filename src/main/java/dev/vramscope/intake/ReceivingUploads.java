package dev.vramscope.intake;

import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * The uploads that are being received: at most a number in total, and at most a share of it from
 * one client address. An upload that stalls gives up its place to one that has just begun.
 * Thread-safe.
 */
final class ReceivingUploads {
  /** A client that sends nothing for this time may be displaced. */
  static final Duration STALLED = Duration.ofSeconds(2);

  private static final long NOT_WAITING = 0;

  private final int maxTotal;
  private final int maxPerAddress;
  private final LongSupplier nanoTime;
  private final Set<Place> places = new HashSet<>();

  ReceivingUploads(int maxTotal, int maxPerAddress, LongSupplier nanoTime) {
    this.maxTotal = maxTotal;
    this.maxPerAddress = maxPerAddress;
    this.nanoTime = nanoTime;
  }

  /**
   * Begins an upload.
   *
   * @throws IntakeBusyException if all places are taken by uploads that make progress
   */
  Place begin(UploadClient client) {
    Optional<Place> displaced;
    Place place = new Place(client);
    synchronized (this) {
      displaced = makeRoom(client.address());
      displaced.ifPresent(places::remove);
      places.add(place);
    }
    displaced.ifPresent(other -> other.client.stopReading().run());
    return place;
  }

  private Optional<Place> makeRoom(String address) {
    Predicate<Place> isOwn = place -> place.client.address().equals(address);
    boolean isShareUsed = places.stream().filter(isOwn).count() >= maxPerAddress;
    if (!isShareUsed && places.size() < maxTotal) {
      return Optional.empty();
    }
    Optional<Place> stalled =
        places.stream()
            .filter(place -> !isShareUsed || isOwn.test(place))
            .filter(place -> place.stalledNanos() >= STALLED.toNanos())
            .max(Comparator.comparingLong(Place::stalledNanos));
    if (stalled.isEmpty()) {
      throw isShareUsed
          ? IntakeBusyException.shareUsed(maxPerAddress)
          : IntakeBusyException.allUsed(maxTotal);
    }
    return stalled;
  }

  /** The place of one upload, until it is closed or displaced. */
  final class Place implements AutoCloseable {
    private final UploadClient client;
    private volatile long waitingSince = NOT_WAITING;

    private Place(UploadClient client) {
      this.client = client;
    }

    /** Called before a read of the body. */
    void beginRead() {
      waitingSince = nanoTime.getAsLong() | 1;
    }

    /** Called after a read of the body. */
    void endRead() {
      waitingSince = NOT_WAITING;
    }

    private long stalledNanos() {
      long since = waitingSince;
      return since == NOT_WAITING ? 0 : nanoTime.getAsLong() - since;
    }

    @Override
    public void close() {
      synchronized (ReceivingUploads.this) {
        places.remove(this);
      }
    }
  }
}
