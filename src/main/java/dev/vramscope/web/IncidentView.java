package dev.vramscope.web;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.vramscope.live.FailureSnapshot;
import dev.vramscope.live.Incident;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An incident as it is shown.
 *
 * @param kind {@code oom} or {@code fault}
 * @param text what went wrong, in the allocator's or the driver's words
 * @param snapshot the id of the stored state, or null; of a storm's other failures, of its first
 * @param page the page that explains it, or null
 * @param hasOwnState whether the stored state is the one of this failure
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
   * Puts it into words.
   *
   * @param deviceBytes the size of the card, which a snapshot does not hold
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

  /** Where the stored state is explained: its last failed request, if it has one. */
  private static String page(FailureSnapshot.Stored stored, long deviceBytes) {
    String snapshot = "/snapshots/" + stored.snapshot();
    return stored.oomCount() == 0
        ? snapshot + "?total=" + deviceBytes
        : snapshot + "/oom?n=" + (stored.oomCount() - 1) + "&total=" + deviceBytes;
  }

  private static String sentence(FailureSnapshot snapshot) {
    return switch (snapshot) {
      case FailureSnapshot.Stored _ -> "The state at the failure is stored; the page says why.";
      case FailureSnapshot.Counted(long count, var latest) ->
          latest.isPresent()
              ? "Only counted: number %d since one was stored, which the page explains."
                  .formatted(count)
              : "Only counted: number %d since one was to be stored.".formatted(count);
      case FailureSnapshot.Unavailable(String reason) -> "The state could not be stored: " + reason;
    };
  }
}
