package dev.vramscope.web.lab;

import dev.vramscope.allocator.caching.configuration.ConfigurationException;
import dev.vramscope.live.AllocatorKind;
import dev.vramscope.live.HostingRefusedException;
import dev.vramscope.live.lab.Experiment;
import dev.vramscope.live.lab.Script;
import dev.vramscope.live.lab.ScriptException;
import dev.vramscope.live.lab.Setup;
import dev.vramscope.model.ByteSize;
import dev.vramscope.web.problem.RefusedRequestException;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An experiment of the lab: the allocators, and what they do.
 *
 * @param sides one or two allocators, which run the same script
 * @param script one operation per line
 * @param from the operations before this one are run, but not described
 * @param count of the described operations
 */
record LabRequest(
    @Nullable List<@Nullable LabAllocator> sides,
    @Schema(example = "malloc 1 64MiB 0\nfree 1") @Nullable String script,
    @Schema(example = "0") @Nullable Integer from,
    @Schema(example = "200") @Nullable Integer count) {
  private static final int MAX_SIDES = 2;

  /**
   * An allocator on a simulated device.
   *
   * @param allocator {@code caching}, {@code bfc}, or {@code direct}, which JAX calls {@code
   *     platform}
   * @param settings a {@code PYTORCH_CUDA_ALLOC_CONF} string, or BFC's {@code key=value,…}
   * @param deviceBytes the memory of the device, optionally with a unit
   */
  record LabAllocator(
      @Schema(example = "caching") @Nullable String allocator,
      @Schema(example = "expandable_segments:True") @Nullable String settings,
      @Schema(example = "8GiB") @Nullable String deviceBytes) {
    Setup setup(int index) {
      if (allocator == null || deviceBytes == null) {
        throw RefusedRequestException.badMember(
            "sides[" + index + "]",
            "has no " + (allocator == null ? "allocator" : "deviceBytes"),
            "A side has an allocator, settings and deviceBytes.");
      }
      String settingsLine = settings == null ? "" : settings;
      try {
        Setup setup = new Setup(kind(index, allocator), settingsLine, size(index, deviceBytes));
        Experiment.requireAccepted(setup);
        return setup;
      } catch (ScriptException refused) {
        throw RefusedRequestException.badMember(
            "sides[" + index + "]." + refused.where(),
            "is not accepted: " + refused.getMessage(),
            refused.next());
      } catch (ConfigurationException | HostingRefusedException refused) {
        throw RefusedRequestException.badSettings(
            String.valueOf(refused.getMessage()),
            "sides[" + index + "].settings",
            refused instanceof HostingRefusedException hosting
                ? hosting.next()
                : "Use the syntax of PYTORCH_CUDA_ALLOC_CONF; the message is PyTorch's.");
      }
    }

    private static AllocatorKind kind(int index, String allocator) {
      try {
        return AllocatorKind.of(allocator);
      } catch (HostingRefusedException unknown) {
        throw RefusedRequestException.badMember(
            "sides[" + index + "].allocator", "is '" + allocator + "'", unknown.next());
      }
    }

    private static long size(int index, String text) {
      try {
        return ByteSize.parse(text);
      } catch (IllegalArgumentException notASize) {
        throw RefusedRequestException.badMember(
            "sides[" + index + "].deviceBytes",
            "is not a size: " + notASize.getMessage(),
            "Write " + ByteSize.ACCEPTED + ".");
      }
    }
  }

  /** The allocators. */
  List<Setup> setups() {
    if (sides == null || sides.isEmpty() || sides.size() > MAX_SIDES) {
      throw RefusedRequestException.badMember(
          "sides",
          sides == null ? "is missing" : "has " + sides.size() + " members",
          "An experiment has one or two sides.");
    }
    List<Setup> setups = new ArrayList<>();
    for (LabAllocator side : sides) {
      if (side == null) {
        throw RefusedRequestException.badMember(
            "sides[" + setups.size() + "]", "is null", "A side is an object.");
      }
      setups.add(side.setup(setups.size()));
    }
    return setups;
  }

  /** The allocator with this index. */
  Setup setup(int side) {
    List<Setup> setups = setups();
    if (side < 0 || side >= setups.size()) {
      throw RefusedRequestException.badParameter("side", side, "0 to " + (setups.size() - 1));
    }
    return setups.get(side);
  }

  Script parsed() {
    return Script.parse(script == null ? "" : script);
  }

  int firstOperation() {
    return from == null ? 0 : Math.max(0, from);
  }

  int stepCount() {
    return count == null ? Experiment.MAX_STEPS : Math.max(0, count);
  }
}
