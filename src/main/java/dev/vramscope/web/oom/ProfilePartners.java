package dev.vramscope.web.oom;

import dev.vramscope.analysis.ledger.ProfileMatch;
import dev.vramscope.analysis.series.LiveMemory;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.inspection.SnapshotInspection;
import dev.vramscope.model.RecordingKind;
import dev.vramscope.store.DamagedSnapshotException;
import dev.vramscope.store.SnapshotPendingException;
import dev.vramscope.store.SnapshotStore;
import dev.vramscope.store.listing.SnapshotFilter;
import dev.vramscope.store.listing.SnapshotOrder;
import dev.vramscope.store.listing.StoredSnapshot;
import dev.vramscope.store.listing.Tags;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.snapshot.SnapshotCache;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Finds the device memory profile of the moment of a dump among the stored files: of those with its
 * job, rank and host, the one whose arrays all have a chunk and fill most of the pool. Nothing is
 * stored, so that a profile that is deleted or tagged otherwise is no longer shown.
 */
@Component
final class ProfilePartners {
  /** Older uploads are not looked at. */
  private static final int MAX_SEARCHED = 500;

  /** Profiles that are compared, the nearest uploads first. */
  private static final int MAX_COMPARED = 20;

  private final SnapshotStore store;
  private final SnapshotCache snapshots;

  ProfilePartners(SnapshotStore store, SnapshotCache snapshots) {
    this.store = store;
    this.snapshots = snapshots;
  }

  /** Whether profiles are looked for: the device is the pool of a BFC allocator in a dump. */
  static boolean isPossible(DeviceInspection device) {
    return device.device().kind() == RecordingKind.DUMP && device.family().isBfc();
  }

  /**
   * The profile of a dump.
   *
   * @param chosen the id of a profile to compare; null for the one that fits best
   * @return empty if none fits; one that was chosen is returned with its difference
   * @throws RefusedRequestException if the chosen snapshot does not exist or is no profile
   */
  Optional<ProfiledDump> find(String id, DeviceInspection device, @Nullable String chosen) {
    if (!isPossible(device)) {
      return Optional.empty();
    }
    StoredSnapshot dump = store.get(id).orElseThrow(() -> RefusedRequestException.noSnapshot(id));
    if (chosen != null) {
      StoredSnapshot profile =
          store
              .get(chosen)
              .filter(StoredSnapshot::isSnapshot)
              .orElseThrow(() -> RefusedRequestException.noSnapshot(chosen));
      return Optional.of(
          compared(device, profile, dump)
              .orElseThrow(
                  () ->
                      RefusedRequestException.badParameter(
                          "profile", chosen, "the id of a device memory profile of JAX")));
    }
    return candidates(dump).stream()
        .filter(each -> snapshots.isSmall(each.id()))
        .flatMap(each -> readable(device, each, dump).stream())
        .filter(ProfiledDump::fits)
        .max(Comparator.comparingLong(ProfiledDump::chunkBytes));
  }

  /** Profiles that may be of the same process, the nearest uploads first. */
  private List<StoredSnapshot> candidates(StoredSnapshot dump) {
    Tags tags = dump.tags();
    SnapshotFilter filter =
        new SnapshotFilter(
            null,
            tags.job(),
            tags.rank(),
            tags.host(),
            null,
            SnapshotOrder.NEWEST,
            MAX_SEARCHED,
            0,
            /* withoutLogs= */ true);
    return store.find(filter).stream()
        .filter(each -> each.isProfile() && ProfiledDump.haveSameProcess(each.tags(), tags))
        .sorted(
            Comparator.comparing(each -> Duration.between(each.uploaded(), dump.uploaded()).abs()))
        .limit(MAX_COMPARED)
        .toList();
  }

  /** One that was deleted meanwhile, or is damaged, is none. */
  private Optional<ProfiledDump> readable(
      DeviceInspection device, StoredSnapshot profile, StoredSnapshot dump) {
    try {
      return compared(device, profile, dump);
    } catch (RefusedRequestException | SnapshotPendingException | DamagedSnapshotException gone) {
      return Optional.empty();
    }
  }

  /** Empty if it is no profile. */
  private Optional<ProfiledDump> compared(
      DeviceInspection device, StoredSnapshot profile, StoredSnapshot dump) {
    SnapshotInspection read = snapshots.get(profile.id());
    return sameDevice(read, device.ordinal())
        .map(
            each ->
                new ProfiledDump(
                    dump,
                    profile,
                    each.ordinal(),
                    ProfileMatch.of(device.device(), each.device()),
                    LiveMemory.of(
                        each.device().facts().profiledDevice().orElse(""),
                        each.lifetimes(),
                        each.active(),
                        read.stacks())));
  }

  /** The device of a profile with a number, or its only one. */
  private static Optional<DeviceInspection> sameDevice(SnapshotInspection profile, int ordinal) {
    return profile
        .part(ordinal)
        .or(
            () ->
                profile.devices().size() == 1
                    ? Optional.of(profile.devices().getFirst())
                    : Optional.empty())
        .filter(each -> each.device().kind() == RecordingKind.PROFILE);
  }
}
