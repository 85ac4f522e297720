package dev.vramscope.web.whatif;

import dev.vramscope.postmortem.KnownReplays;
import dev.vramscope.store.SnapshotStore;
import dev.vramscope.store.files.StoreUnavailableException;
import dev.vramscope.whatif.DeviceSize;
import dev.vramscope.whatif.Fidelity;
import dev.vramscope.whatif.Outcome;
import dev.vramscope.whatif.Variant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The results of replays that are stored with their snapshots, so that the same replay is not run
 * twice: neither for the what-if page nor for the remedies of a failure. Thread-safe.
 */
@Component
public final class StoredReplays {
  /**
   * The version of decoding and allocators. Increase it with every change of a result: results of
   * other versions are computed again.
   */
  static final int ENGINE_VERSION = 4;

  private static final Logger LOG = LoggerFactory.getLogger(StoredReplays.class);

  private final SnapshotStore store;
  private final JsonMapper json;

  StoredReplays(SnapshotStore store, JsonMapper json) {
    this.store = store;
    this.json = json;
  }

  /** The stored texts of a snapshot, by {@link WhatIfPlan#request}. */
  Map<String, String> of(String snapshot) {
    return store.replays(snapshot, ENGINE_VERSION);
  }

  /** A stored text as a result, or null if there is none that can be read. */
  <T> @Nullable T read(@Nullable String text, Class<T> type) {
    try {
      return text == null ? null : json.readValue(text, type);
    } catch (JacksonException other) {
      LOG.warn("A stored result of a replay cannot be read and is computed again", other);
      return null;
    }
  }

  /**
   * One at a time: two threads may have the same result. A result that cannot be stored, such as on
   * a full disk, is shown and computed again later.
   */
  synchronized void put(String snapshot, String request, Object result) {
    try {
      store.putReplay(snapshot, ENGINE_VERSION, request, json.writeValueAsString(result));
    } catch (StoreUnavailableException full) {
      LOG.warn("The result of a replay of {} is not stored", snapshot, full);
    }
  }

  /** The results for one device of a snapshot. */
  public KnownReplays of(String snapshot, int device) {
    return new KnownReplays() {
      @Override
      public Optional<Outcome> outcome(Variant variant, DeviceSize size) {
        String request = WhatIfPlan.request(device, size, variant);
        return Optional.ofNullable(read(of(snapshot).get(request), WhatIfResult.class))
            .map(WhatIfResult::outcome);
      }

      @Override
      public void keep(Variant variant, DeviceSize size, Outcome outcome) {
        put(snapshot, WhatIfPlan.request(device, size, variant), WhatIfResult.of(outcome));
      }

      @Override
      public Optional<Fidelity> fidelity() {
        String request = WhatIfPlan.fidelityRequest(device);
        return Optional.ofNullable(read(of(snapshot).get(request), FidelityView.class))
            .map(FidelityView::fidelity);
      }

      @Override
      public void keep(Fidelity fidelity) {
        put(snapshot, WhatIfPlan.fidelityRequest(device), FidelityView.of(fidelity));
      }
    };
  }
}
