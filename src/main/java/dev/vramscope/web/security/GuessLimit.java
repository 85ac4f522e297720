package dev.vramscope.web.security;

import dev.vramscope.web.connection.ClientNetwork;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.TimeMeter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits wrong access tokens: per client address, and over all addresses. The second limit does not
 * apply to an address that has sent the right token before. A client is a {@link ClientNetwork}.
 * The addresses in memory are bounded; the least recently used one is dropped.
 */
public final class GuessLimit {
  /** Wrong tokens per minute. */
  public static final int PER_CLIENT = 10;

  static final int IN_TOTAL = 1000;
  static final int MAX_CLIENTS = 10_000;

  private static final Logger LOG = LoggerFactory.getLogger(GuessLimit.class);

  private final TimeMeter clock;
  private final Bucket total;
  private final Map<String, Bucket> guessing = new Recent<>();
  private final Map<String, Boolean> trusted = new Recent<>();

  GuessLimit(TimeMeter clock) {
    this.clock = clock;
    total = bucket(IN_TOTAL);
  }

  /** Time until a token from this address is compared, zero if it is compared now. */
  synchronized Duration waitBefore(String address) {
    String client = ClientNetwork.of(address);
    Bucket own = guessing.get(client);
    Duration wait = own == null ? Duration.ZERO : untilRefill(own);
    return wait.isZero() && !trusted.containsKey(client) ? untilRefill(total) : wait;
  }

  synchronized void recordWrong(String address) {
    Bucket own = guessing.computeIfAbsent(ClientNetwork.of(address), _ -> bucket(PER_CLIENT));
    total.tryConsume(1);
    if (own.tryConsume(1) && own.getAvailableTokens() == 0) {
      LOG.warn("{} sent {} wrong access tokens; further ones are delayed", address, PER_CLIENT);
    }
  }

  synchronized void recordRight(String address) {
    trusted.put(ClientNetwork.of(address), true);
  }

  synchronized int clientsInMemory() {
    return guessing.size() + trusted.size();
  }

  private Bucket bucket(int perMinute) {
    return Bucket.builder()
        .addLimit(limit -> limit.capacity(perMinute).refillGreedy(perMinute, Duration.ofMinutes(1)))
        .withCustomTimePrecision(clock)
        .build();
  }

  private static Duration untilRefill(Bucket bucket) {
    return Duration.ofNanos(bucket.estimateAbilityToConsume(1).getNanosToWaitForRefill());
  }

  /** The most recently used entries. */
  private static final class Recent<V> extends LinkedHashMap<String, V> {
    private static final long serialVersionUID = 1L;

    Recent() {
      super(16, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
      return size() > MAX_CLIENTS;
    }
  }
}
