package dev.vramscope.web.series;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.vramscope.analysis.series.LiveMemory;
import dev.vramscope.analysis.series.Series;
import dev.vramscope.analysis.series.SeriesRecording;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.inspection.SnapshotInspection;
import dev.vramscope.model.RecordingKind;
import dev.vramscope.model.finding.Finding;
import dev.vramscope.model.finding.FindingKind;
import dev.vramscope.store.SnapshotStore;
import dev.vramscope.store.listing.SnapshotFilter;
import dev.vramscope.store.listing.SnapshotOrder;
import dev.vramscope.store.listing.StoredSnapshot;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.snapshot.SnapshotCache;
import dev.vramscope.work.HeavyWork;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Reads the recordings of a series, each once. */
@Component
class SeriesReader {
  /** More are not told apart on a page. */
  private static final int MOST = 200;

  private static final int KEPT = 1000;

  private final SnapshotStore store;
  private final SnapshotCache snapshots;

  /** What a recording held at its end does not change; its name and its tags may. */
  private final Cache<String, Content> contents =
      Caffeine.newBuilder().maximumSize(KEPT).executor(Runnable::run).build();

  /** By its tags. */
  private record RecordedProcess(@Nullable String rank, @Nullable String host) {}

  private record Content(List<LiveMemory> devices, OptionalLong executables) {}

  SeriesReader(SnapshotStore store, SnapshotCache snapshots) {
    this.store = store;
    this.snapshots = snapshots;
  }

  /**
   * The recordings in the order of time: by step if each has one of its own, else by upload.
   *
   * @throws RefusedRequestException if there are fewer than two
   */
  ShownSeries read(SeriesQuery query) {
    List<String> selected = query.selected();
    if (selected.size() > MOST) {
      throw RefusedRequestException.badParameter(
          "id", selected.size() + " snapshots", "at most " + MOST);
    }
    if (selected.isEmpty() && query.job() == null && query.host() == null) {
      throw RefusedRequestException.noSeries("No snapshots are selected, and no job is named");
    }
    SnapshotFilter filter = filter(query);
    List<StoredSnapshot> stored =
        selected.isEmpty()
            ? store.find(filter)
            : selected.stream().map(this::stored).filter(StoredSnapshot::isSnapshot).toList();
    if (stored.size() < 2) {
      throw RefusedRequestException.noSeries(
          stored.isEmpty() ? "No snapshot is found" : "One snapshot is no series");
    }
    List<StoredSnapshot> ordered = stored.stream().sorted(order(stored)).toList();
    return new ShownSeries(
        Series.of(ordered.stream().map(this::recording).toList()),
        ordered,
        selected.isEmpty() ? store.count(filter) : ordered.size(),
        ordered.stream()
            .map(each -> new RecordedProcess(each.tags().rank(), each.tags().host()))
            .distinct()
            .count());
  }

  private static SnapshotFilter filter(SeriesQuery query) {
    return new SnapshotFilter(
        null,
        query.job(),
        query.rank(),
        query.host(),
        null,
        SnapshotOrder.NEWEST,
        MOST,
        0,
        /* withoutLogs= */ true);
  }

  private StoredSnapshot stored(String id) {
    return store.get(id).orElseThrow(() -> RefusedRequestException.noSnapshot(id));
  }

  private static Comparator<StoredSnapshot> order(List<StoredSnapshot> stored) {
    Set<Long> steps = new HashSet<>();
    boolean hasSteps =
        stored.stream().allMatch(each -> each.tags().step() != null && steps.add(step(each)));
    return hasSteps
        ? Comparator.comparingLong(SeriesReader::step)
        : Comparator.comparing(StoredSnapshot::uploaded).thenComparing(StoredSnapshot::name);
  }

  private static long step(StoredSnapshot stored) {
    return Optional.ofNullable(stored.tags().step()).orElseThrow();
  }

  private SeriesRecording recording(StoredSnapshot stored) {
    HeavyWork.checkpoint();
    Content content = contents.getIfPresent(stored.id());
    if (content == null) {
      // Not within the cache, where others would wait for its turn.
      content = content(snapshots.get(stored.id()));
      contents.put(stored.id(), content);
    }
    Long step = stored.tags().step();
    return new SeriesRecording(
        stored.id(),
        stored.name(),
        step == null ? OptionalLong.empty() : OptionalLong.of(step),
        content.executables,
        content.devices);
  }

  private static Content content(SnapshotInspection snapshot) {
    boolean isProfile =
        snapshot.snapshot().devices().stream()
            .anyMatch(device -> device.kind() == RecordingKind.PROFILE);
    return new Content(
        snapshot.devices().stream().map(device -> memory(device, snapshot)).toList(),
        isProfile ? OptionalLong.of(executables(snapshot)) : OptionalLong.empty());
  }

  private static long executables(SnapshotInspection snapshot) {
    return snapshot.snapshot().findings().stream()
        .filter(FindingKind.EXECUTABLES::isOf)
        .mapToLong(Finding::count)
        .sum();
  }

  private static LiveMemory memory(DeviceInspection device, SnapshotInspection snapshot) {
    String name = device.device().facts().profiledDevice().orElse("device " + device.ordinal());
    return LiveMemory.of(name, device.lifetimes(), device.active(), snapshot.stacks());
  }
}
