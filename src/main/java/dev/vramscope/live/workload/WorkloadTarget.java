package dev.vramscope.live.workload;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.device.Device;
import dev.vramscope.live.HostedAllocator;
import dev.vramscope.recorder.Recorder;

/**
 * What a run works on.
 *
 * @param allocator for requests
 * @param bare the same one, as what it is
 * @param recorder whose scopes name what a run does
 */
record WorkloadTarget(Device device, Allocator allocator, Allocator bare, Recorder recorder) {
  static WorkloadTarget of(HostedAllocator hosted) {
    return new WorkloadTarget(
        hosted.device(), hosted.allocator(), hosted.bare(), hosted.recorder());
  }
}
