package dev.vramscope.web.live;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.vramscope.allocator.AllocatorTotals;
import dev.vramscope.live.HostedAllocator;
import dev.vramscope.live.HostedState;
import dev.vramscope.recorder.HistorySettings;
import dev.vramscope.recorder.RecorderCost;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A hosted allocator in JSON.
 *
 * @param device the requested device, such as {@code cuda:0} or {@code sim:16GiB}
 * @param deviceName the name of the device
 * @param state {@code open}, {@code closed} or {@code lost}
 * @param lost the reason why the device is lost, or null
 * @param deviceBytes its memory in bytes
 * @param clientBlocks blocks that REST clients hold
 * @param incidentCount incidents so far
 * @param incidents the latest of them, newest first
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AllocatorView(
    long id,
    String name,
    String device,
    String deviceName,
    boolean simulated,
    long deviceBytes,
    String kind,
    String settings,
    Instant created,
    String state,
    @Nullable String lost,
    AllocatorTotals totals,
    Recorded history,
    int clientBlocks,
    long incidentCount,
    List<IncidentView> incidents) {
  private static final int INCIDENTS = 10;

  /** The settings of the recorder, and its counts of written and dropped entries. */
  record Recorded(
      String recording,
      String contexts,
      int maxEvents,
      long writtenEvents,
      long overwrittenEvents,
      long droppedContexts) {}

  public static AllocatorView of(HostedAllocator hosted, IncidentViews incidents) {
    HistorySettings settings = hosted.recorder().settings();
    RecorderCost cost = hosted.recorder().cost();
    HostedState state = hosted.state();
    return new AllocatorView(
        hosted.id(),
        hosted.name(),
        hosted.choice().toString(),
        hosted.device().name(),
        hosted.device().isSimulated(),
        hosted.deviceBytes(),
        hosted.kind().id(),
        hosted.settings(),
        hosted.created(),
        state.id(),
        state instanceof HostedState.Lost(String reason) ? reason : null,
        hosted.allocator().inspect().totals(),
        new Recorded(
            lowerCase(settings.recording()),
            lowerCase(settings.contexts()),
            settings.maxEvents(),
            cost.eventCount(),
            cost.overwrittenCount(),
            cost.droppedCount()),
        hosted.clientBlocks().count(),
        hosted.incidentCount(),
        incidents.latest(hosted, INCIDENTS));
  }

  private static String lowerCase(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
