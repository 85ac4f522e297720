package dev.vramscope.live.workload;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.pinned.PinnedAllocator;
import dev.vramscope.device.Device;
import dev.vramscope.device.DeviceLostException;
import dev.vramscope.live.HostedAllocator;
import dev.vramscope.recorder.Recorder;
import java.util.function.Consumer;

/**
 * What a run works on.
 *
 * @param allocator for requests
 * @param underlying the same one, as what it is
 * @param pinned host memory for staging copies to the device
 * @param recorder whose scopes name what a run does
 * @param loss is told that the card was lost while it did a run's work
 */
record WorkloadTarget(
    Device device,
    Allocator allocator,
    Allocator underlying,
    PinnedAllocator pinned,
    Recorder recorder,
    Consumer<DeviceLostException> loss) {
  static WorkloadTarget of(HostedAllocator hosted) {
    return new WorkloadTarget(
        hosted.device(),
        hosted.allocator(),
        hosted.underlying(),
        hosted.pinned(),
        hosted.recorder(),
        hosted::report);
  }
}
