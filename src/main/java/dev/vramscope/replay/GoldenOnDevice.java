package dev.vramscope.replay;

import dev.vramscope.device.Device;
import dev.vramscope.device.sim.SimSubAllocator;
import dev.vramscope.device.sim.SubAllocatorSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Replays golden cases and repeats every memory call on a real device.
 *
 * @param device an open device that is not used by anything else
 */
public record GoldenOnDevice(Device device) {
  /**
   * The results of the cases in a folder.
   *
   * @param skipped cases that the device cannot run, each with the reason
   * @param failures cases that differ, each with the first difference
   */
  public record Results(int passed, List<String> skipped, List<String> failures) {
    public Results {
      skipped = List.copyOf(skipped);
      failures = List.copyOf(failures);
    }
  }

  public Results replay(Path folder) throws IOException {
    int passed = 0;
    List<String> skipped = new ArrayList<>();
    List<String> failures = new ArrayList<>();
    for (GoldenCase golden : GoldenCase.below(folder)) {
      String name = folder.relativize(golden.folder()).toString();
      try {
        Optional<String> difference = firstDifference(golden);
        if (difference.isEmpty()) {
          passed++;
        } else {
          failures.add(name + ": " + difference.get());
        }
      } catch (UnsuitableDeviceException e) {
        skipped.add(name + ": " + e.getMessage());
      }
    }
    return new Results(passed, skipped, failures);
  }

  private Optional<String> firstDifference(GoldenCase golden) throws IOException {
    ReplayConfig config = golden.config();
    return switch (TraceKind.of(config)) {
      case CACHING -> caching(golden, config);
      case BFC -> bfc(golden, BfcReplay.deviceSettings(config));
    };
  }

  private Optional<String> caching(GoldenCase golden, ReplayConfig config) throws IOException {
    try (ShadowDevice shadow = new ShadowDevice(CachingTraceReplay.device(config), device)) {
      return golden.firstDifference(new CachingTraceReplay(_ -> shadow));
    }
  }

  private Optional<String> bfc(GoldenCase golden, SubAllocatorSettings settings)
      throws IOException {
    if (settings.honoursRequestedAlignment()) {
      throw new UnsuitableDeviceException("a real device does not honour alignments");
    }
    PlacedMemory source = new PlacedMemory(new SimSubAllocator(settings.unlimited()));
    ShadowMemory shadow = new ShadowMemory(source, device.memory());
    try {
      return golden.firstDifference(new BfcReplay(shadow));
    } finally {
      shadow.freeAll();
    }
  }
}
