package dev.vramscope.live.workload;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.OutOfDeviceMemoryException;
import dev.vramscope.allocator.pinned.PinnedAllocator;
import dev.vramscope.device.Device;
import dev.vramscope.device.DeviceLostException;
import dev.vramscope.live.HostedAllocator;
import dev.vramscope.live.Incident;
import dev.vramscope.recorder.Recorder;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The allocator of a run, with its device and its recorder.
 *
 * @param allocator serves the requests of the run
 * @param underlying the same allocator without the recorder and the guard
 * @param pinned host memory for staging copies to the device
 * @param recorder has the scopes that describe the activity of the run
 * @param incidentOf the incident of a failed request, if it was recorded
 * @param onLoss is called when the device is lost during work of the run
 */
record WorkloadTarget(
    Device device,
    Allocator allocator,
    Allocator underlying,
    PinnedAllocator pinned,
    Recorder recorder,
    Function<OutOfDeviceMemoryException, Optional<Incident>> incidentOf,
    Consumer<DeviceLostException> onLoss) {
  static WorkloadTarget of(HostedAllocator hosted) {
    return new WorkloadTarget(
        hosted.device(),
        hosted.allocator(),
        hosted.underlying(),
        hosted.pinned(),
        hosted.recorder(),
        hosted::incidentOf,
        hosted::report);
  }
}
