package dev.vramscope.web.live;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.vramscope.live.FailureSnapshot;
import dev.vramscope.live.Incident;
import dev.vramscope.live.TracePosition;
import dev.vramscope.recorder.Recorder;
import java.time.Instant;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An incident in JSON and on pages.
 *
 * @param kind {@code oom} or {@code fault}
 * @param text the error message of the allocator or the driver
 * @param run the workload run whose request failed, or null for REST clients
 * @param event the number of its event in the recorded history, as on the live page; null if it was
 *     not recorded
 * @param snapshot the id of the stored snapshot whose trace contains this failure, or null
 * @param page URL of its post-mortem, or null
 * @param eventPage URL of its event in the snapshot's timeline, or null
 * @param hasOwnState whether the state at this failure is stored, and not a later one
 * @param snapshotNote a sentence on what is stored
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record IncidentView(
    Instant at,
    String kind,
    String text,
    @Nullable Long run,
    @Nullable Long event,
    @Nullable String snapshot,
    @Nullable String page,
    @Nullable String eventPage,
    @JsonIgnore boolean hasOwnState,
    String snapshotNote) {
  private static final String OUT_OF_MEMORY = "oom";

  /**
   * Converts an incident.
   *
   * @param deviceBytes device memory, which a snapshot does not contain
   * @param exists whether a snapshot is stored; it may have been deleted
   */
  static IncidentView of(Incident incident, long deviceBytes, Predicate<String> exists) {
    TracePosition position = incident.snapshot().tracePosition().orElse(null);
    String own = incident.snapshot() instanceof FailureSnapshot.Stored s ? s.snapshot() : null;
    String snapshot = position == null ? own : position.snapshot();
    boolean isDeleted = snapshot != null && !exists.test(snapshot);
    if (isDeleted) {
      snapshot = null;
      position = null;
    }
    long event = incident instanceof Incident.OutOfMemory oom ? oom.event() : Recorder.NO_EVENT;
    long run = incident.source().run();
    return new IncidentView(
        incident.at(),
        switch (incident) {
          case Incident.OutOfMemory _ -> OUT_OF_MEMORY;
          case Incident.Fault _ -> "fault";
        },
        incident.text(),
        run == 0 ? null : (Long) run,
        event == Recorder.NO_EVENT ? null : (Long) event,
        snapshot,
        snapshot == null ? null : page(snapshot, position, deviceBytes),
        position == null
            ? null
            : "/snapshots/" + position.snapshot() + "/timeline?event=" + position.event(),
        own != null && !isDeleted,
        isDeleted ? "Its snapshot was deleted." : sentence(incident.snapshot()));
  }

  @JsonIgnore
  public boolean isOutOfMemory() {
    return kind.equals(OUT_OF_MEMORY);
  }

  /** The kind for a mark in a list. */
  public String mark() {
    return isOutOfMemory() ? "OOM" : kind;
  }

  /** The post-mortem of the failed request, or the overview if the trace does not contain one. */
  static String page(String id, @Nullable TracePosition position, long deviceBytes) {
    String snapshot = "/snapshots/" + id;
    return position == null
        ? snapshot + "?total=" + deviceBytes
        : snapshot + "/oom?n=" + position.oom() + "&total=" + deviceBytes;
  }

  private static String sentence(FailureSnapshot snapshot) {
    return switch (snapshot) {
      case FailureSnapshot.Stored _ -> "The state at the failure is stored.";
      case FailureSnapshot.Limited(var inTrace) ->
          inTrace.isPresent()
              ? "The trace of a snapshot that was stored later contains it."
              : "Not stored: too soon after another failure (vramscope.live.snapshot-interval).";
      case FailureSnapshot.Unavailable(String reason, var inTrace) ->
          inTrace.isPresent()
              ? "The trace of a snapshot that was stored later contains it."
              : "The state could not be stored: " + reason;
    };
  }
}
