package dev.vramscope.web.snapshot;

import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.inspection.SnapshotInspection;
import dev.vramscope.web.problem.RefusedRequestException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The device that a request is about: the one with the number of its parameter, or else the one to
 * look at first. Each method throws a {@link RefusedRequestException} if there is no such device or
 * if it does not have what is asked for.
 */
public final class ChosenDevice {
  private ChosenDevice() {}

  /** Any device, or the pinned host memory. */
  public static DeviceInspection of(SnapshotInspection snapshot, @Nullable Integer ordinal) {
    if (ordinal != null) {
      return snapshot.part(ordinal).orElseThrow(() -> noDevice(snapshot, ordinal));
    }
    return snapshot
        .main()
        .orElseThrow(
            () ->
                RefusedRequestException.notFound(
                    "The snapshot has no device: no segment and no event was recorded",
                    "devices",
                    "Start recording before the first allocation, then take the snapshot again."));
  }

  /** The memory of a GPU. */
  public static DeviceInspection ofGpu(SnapshotInspection snapshot, @Nullable Integer ordinal) {
    DeviceInspection inspection = of(snapshot, ordinal);
    if (!inspection.device().kind().isOfGpu()) {
      throw RefusedRequestException.notOfHost();
    }
    return inspection;
  }

  /** A device whose blocks have addresses: no profile. */
  public static DeviceInspection withAddresses(
      SnapshotInspection snapshot, @Nullable Integer ordinal) {
    DeviceInspection inspection = of(snapshot, ordinal);
    if (!inspection.device().kind().hasAddresses()) {
      throw RefusedRequestException.notOfProfile();
    }
    return inspection;
  }

  /** The memory of a GPU, held by an allocator: neither pinned host memory nor a profile. */
  public static DeviceInspection allocatorOfGpu(
      SnapshotInspection snapshot, @Nullable Integer ordinal) {
    withAddresses(snapshot, ordinal);
    return ofGpu(snapshot, ordinal);
  }

  /** The memory of a GPU whose file has the segments of the allocator. */
  public static DeviceInspection withSegments(
      SnapshotInspection snapshot, @Nullable Integer ordinal) {
    DeviceInspection inspection = allocatorOfGpu(snapshot, ordinal);
    if (!inspection.device().kind().hasSegments()) {
      throw RefusedRequestException.notOf(inspection.device());
    }
    return inspection;
  }

  private static RefusedRequestException noDevice(SnapshotInspection snapshot, int ordinal) {
    String ordinals =
        snapshot.parts().stream()
            .map(part -> Integer.toString(part.ordinal()))
            .collect(Collectors.joining(", "));
    return RefusedRequestException.notFound(
        "The snapshot has no device " + ordinal,
        "parameter device",
        ordinals.isEmpty() ? "It has no devices." : "Its devices: " + ordinals + ".");
  }
}
