package dev.vramscope.web;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.vramscope.live.FailureSnapshot;
import dev.vramscope.live.Incident;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An incident in JSON and on pages.
 *
 * @param kind {@code oom} or {@code fault}
 * @param text the error message of the allocator or the driver
 * @param snapshot the id of the stored state, or null; of many failures in a short time only the
 *     first is stored, and the others refer to it
 * @param page URL of the post-mortem, or null
 * @param hasOwnState whether the stored state belongs to this failure and not to an earlier one
 * @param snapshotNote a sentence on what is stored
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record IncidentView(
    Instant at,
    String kind,
    String text,
    @Nullable String snapshot,
    @Nullable String page,
    @JsonIgnore boolean hasOwnState,
    String snapshotNote) {

  /**
   * Converts an incident.
   *
   * @param deviceBytes device memory, which a snapshot does not contain
   */
  static IncidentView of(Incident incident, long deviceBytes) {
    FailureSnapshot.Stored stored =
        switch (incident.snapshot()) {
          case FailureSnapshot.Stored here -> here;
          case FailureSnapshot.Counted counted -> counted.latest().orElse(null);
          case FailureSnapshot.Unavailable _ -> null;
        };
    return new IncidentView(
        incident.at(),
        switch (incident) {
          case Incident.OutOfMemory _ -> "oom";
          case Incident.Fault _ -> "fault";
        },
        incident.text(),
        stored == null ? null : stored.snapshot(),
        stored == null ? null : page(stored, deviceBytes),
        incident.snapshot() instanceof FailureSnapshot.Stored,
        sentence(incident.snapshot()));
  }

  /** The post-mortem of the last failed request, or the overview if there is none. */
  private static String page(FailureSnapshot.Stored stored, long deviceBytes) {
    String snapshot = "/snapshots/" + stored.snapshot();
    return stored.oomCount() == 0
        ? snapshot + "?total=" + deviceBytes
        : snapshot + "/oom?n=" + (stored.oomCount() - 1) + "&total=" + deviceBytes;
  }

  private static String sentence(FailureSnapshot snapshot) {
    return switch (snapshot) {
      case FailureSnapshot.Stored _ -> "The state at the failure is stored.";
      case FailureSnapshot.Counted(long count, var latest) ->
          latest.isPresent()
              ? "The state was not stored: this is failure %d since the last stored one."
                  .formatted(count)
              : "The state was not stored: this is failure %d since the last attempt to store one."
                  .formatted(count);
      case FailureSnapshot.Unavailable(String reason) -> "The state could not be stored: " + reason;
    };
  }
}
