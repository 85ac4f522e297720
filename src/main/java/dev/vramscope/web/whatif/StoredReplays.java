package dev.vramscope.web.whatif;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import dev.vramscope.store.SnapshotStore;
import dev.vramscope.store.files.StoreUnavailableException;
import dev.vramscope.whatif.DeviceSize;
import dev.vramscope.whatif.Fidelity;
import dev.vramscope.whatif.Outcome;
import dev.vramscope.whatif.Variant;
import dev.vramscope.whatif.replays.KnownReplays;
import dev.vramscope.whatif.replays.ReplayKey;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The results of replays that are stored with their snapshots, so that the same replay is not run
 * twice: neither for the what-if page nor for the remedies of a failure. Thread-safe.
 */
public final class StoredReplays {
  /**
   * The version of decoding and allocators. Increase it with every change of a result: results of
   * other versions are computed again.
   */
  static final int ENGINE_VERSION = 5;

  private static final Logger LOG = LoggerFactory.getLogger(StoredReplays.class);

  private final SnapshotStore store;

  /** Not the mapper of REST, whose spelling of enum constants cannot be read back. */
  private final JsonMapper json =
      JsonMapper.builder().addMixIn(Fidelity.class, Numbers.class).build();

  /** A stored comparison has its numbers; what follows from them is computed. */
  @JsonAutoDetect(isGetterVisibility = JsonAutoDetect.Visibility.NONE)
  private abstract static class Numbers {}

  public StoredReplays(SnapshotStore store) {
    this.store = store;
  }

  /** The results for one device of a snapshot. */
  public KnownReplays of(String snapshot, int device) {
    String comparison = "fidelity of device " + device;
    return new KnownReplays() {
      @Override
      public Map<Variant, Outcome> outcomes(
          Collection<? extends Variant> variants, DeviceSize size) {
        Map<String, String> texts = store.replays(snapshot, ENGINE_VERSION);
        Map<Variant, Outcome> outcomes = new HashMap<>();
        for (Variant variant : variants) {
          String text = texts.get(new ReplayKey(device, size, variant).text());
          read(text, Outcome.class).ifPresent(outcome -> outcomes.put(variant, outcome));
        }
        return outcomes;
      }

      @Override
      public void keep(Variant variant, DeviceSize size, Outcome outcome) {
        put(snapshot, new ReplayKey(device, size, variant).text(), outcome);
      }

      @Override
      public Optional<Fidelity> fidelity() {
        return read(store.replays(snapshot, ENGINE_VERSION).get(comparison), Fidelity.class);
      }

      @Override
      public void keep(Fidelity fidelity) {
        put(snapshot, comparison, fidelity);
      }
    };
  }

  /** A stored text as a result, if there is one that can be read. */
  private <T> Optional<T> read(@Nullable String text, Class<T> type) {
    try {
      return text == null ? Optional.empty() : Optional.of(json.readValue(text, type));
    } catch (JacksonException other) {
      LOG.warn("A stored result of a replay cannot be read and is computed again", other);
      return Optional.empty();
    }
  }

  /**
   * One at a time: two threads may have the same result. A result that cannot be stored, such as on
   * a full disk, is shown and computed again later.
   */
  private synchronized void put(String snapshot, String key, Object result) {
    try {
      store.putReplay(snapshot, ENGINE_VERSION, key, json.writeValueAsString(result));
    } catch (StoreUnavailableException full) {
      LOG.warn("The result of a replay of {} is not stored", snapshot, full);
    }
  }
}
