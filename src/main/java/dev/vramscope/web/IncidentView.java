package dev.vramscope.web;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.vramscope.live.Evidence;
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
 * @param evidence a sentence on what is stored
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record IncidentView(
    Instant at,
    String kind,
    String text,
    @Nullable String snapshot,
    @Nullable String page,
    @JsonIgnore boolean hasOwnState,
    String evidence) {

  /**
   * Puts it into words.
   *
   * @param cardBytes the size of the card, which a snapshot does not hold
   */
  static IncidentView of(Incident incident, long cardBytes) {
    Evidence.Stored stored =
        switch (incident.evidence()) {
          case Evidence.Stored here -> here;
          case Evidence.Counted counted -> counted.latest().orElse(null);
          case Evidence.Unavailable _ -> null;
        };
    return new IncidentView(
        incident.at(),
        switch (incident) {
          case Incident.OutOfMemory _ -> "oom";
          case Incident.Fault _ -> "fault";
        },
        incident.text(),
        stored == null ? null : stored.snapshot(),
        stored == null ? null : page(stored, cardBytes),
        incident.evidence() instanceof Evidence.Stored,
        sentence(incident.evidence()));
  }

  /** Where the stored state is explained: its last failed request, if it has one. */
  private static String page(Evidence.Stored stored, long cardBytes) {
    String snapshot = "/snapshots/" + stored.snapshot();
    return stored.oomCount() == 0
        ? snapshot + "?total=" + cardBytes
        : snapshot + "/oom?n=" + (stored.oomCount() - 1) + "&total=" + cardBytes;
  }

  private static String sentence(Evidence evidence) {
    return switch (evidence) {
      case Evidence.Stored _ -> "The state at the failure is stored; the page says why.";
      case Evidence.Counted(long count, var latest) ->
          latest.isPresent()
              ? "Only counted: number %d since one was stored, which the page explains."
                  .formatted(count)
              : "Only counted: number %d since one was to be stored.".formatted(count);
      case Evidence.Unavailable(String reason) -> "The state could not be stored: " + reason;
    };
  }
}
