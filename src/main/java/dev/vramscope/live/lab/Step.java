package dev.vramscope.live.lab;

import java.util.List;
import java.util.Optional;

/**
 * The effect of one operation on one side.
 *
 * @param isFailed whether a request failed, because memory ran out
 * @param reasons what the allocator did, in order
 * @param attempts of a request that no free block served at first
 * @param search of a request
 * @param address of the block that was allocated or freed; -1 if there is none
 * @param changed the segments that are new or changed
 * @param removed the addresses of the segments that are gone
 * @param events of the allocator during the step
 * @param kernels those that run after the step
 */
public record Step(
    boolean isFailed,
    List<Reason> reasons,
    List<Attempt> attempts,
    Optional<Search> search,
    long address,
    List<ShownSegment> changed,
    List<Long> removed,
    List<ScriptEvent> events,
    List<Kernel> kernels,
    Totals totals) {
  public Step {
    reasons = List.copyOf(reasons);
    attempts = List.copyOf(attempts);
    changed = List.copyOf(changed);
    removed = List.copyOf(removed);
    events = List.copyOf(events);
    kernels = List.copyOf(kernels);
  }
}
