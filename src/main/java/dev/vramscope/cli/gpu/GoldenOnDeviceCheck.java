package dev.vramscope.cli.gpu;

import dev.vramscope.device.Device;
import dev.vramscope.replay.GoldenOnDevice;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Runs the golden cases with every memory call repeated on the real device. */
record GoldenOnDeviceCheck(Supplier<? extends Device> open, @Nullable Path folder)
    implements Check {
  @Override
  public String name() {
    return "golden cases on the device";
  }

  @Override
  public CheckOutcome run() throws IOException {
    if (folder == null) {
      return CheckOutcome.skipped("--golden does not name a folder with golden cases.");
    }
    GoldenOnDevice.Results results = new GoldenOnDevice(open.get()).replay(folder);
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("passed", results.passed());
    figures.put("failures", results.failures());
    figures.put("skipped", results.skipped());
    return CheckOutcome.passedIf(
        results.passed() > 0 && results.failures().isEmpty(),
        "%d cases passed, %d failed, %d need a different or larger device."
            .formatted(results.passed(), results.failures().size(), results.skipped().size()),
        figures);
  }
}
