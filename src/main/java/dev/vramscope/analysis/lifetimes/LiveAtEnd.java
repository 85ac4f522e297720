package dev.vramscope.analysis.lifetimes;

import dev.vramscope.model.Block;
import dev.vramscope.model.DeviceSnapshot;
import java.util.HashMap;
import java.util.Map;

/**
 * Requested bytes that are live at the end.
 *
 * @param stateBytes according to the final state; where it has no request, that of the trace, or
 *     else the block size
 * @param traceBytes according to the trace, which timeline and sites follow
 */
public record LiveAtEnd(long stateBytes, long traceBytes) {
  /** Both numbers of a device whose final state is recorded. */
  public static LiveAtEnd of(DeviceSnapshot device, Lifetimes lifetimes, ActiveBytes active) {
    Map<Long, Long> requests = new HashMap<>();
    for (int row = 0; row < lifetimes.size(); row++) {
      if (lifetimes.endEvent(row) == Lifetimes.NEVER) {
        requests.put(lifetimes.address(row), lifetimes.bytes(row));
      }
    }
    long bytes =
        device.segments().stream()
            .flatMap(segment -> segment.blocks().stream())
            .filter(Block::isActive)
            .mapToLong(
                block ->
                    block.requestedBytes() == Block.UNKNOWN
                        ? requests.getOrDefault(block.address(), block.bytes())
                        : block.requestedBytes())
            .sum();
    return new LiveAtEnd(bytes, active.atEnd());
  }

  /** Whether the file contradicts itself. */
  public boolean isContradictory() {
    return stateBytes != traceBytes;
  }
}
