package dev.vramscope.cli.gpu;

import dev.vramscope.cli.Command;
import dev.vramscope.cli.UsageException;
import dev.vramscope.device.cuda.CudaDevice;
import dev.vramscope.device.cuda.CudaDriver;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Checks a GPU through a running service and in this process, and writes a report. */
public final class GpuCheckCommand implements Command {
  private static final String USAGE =
      "Usage: gpu-check --server URL [--device cuda:0] [--golden DIR] [--json FILE]";
  private static final String CUDA = "cuda:";

  @Override
  public int run(List<String> arguments, PrintStream out) throws IOException {
    URI server = null;
    String device = CUDA + 0;
    Path golden = null;
    Path json = null;
    for (int i = 0; i < arguments.size(); i++) {
      switch (arguments.get(i)) {
        case "--server" -> server = URI.create(valueAfter(arguments, i++));
        case "--device" -> device = valueAfter(arguments, i++);
        case "--golden" -> golden = Path.of(valueAfter(arguments, i++));
        case "--json" -> json = Path.of(valueAfter(arguments, i++));
        default -> throw new UsageException(USAGE);
      }
    }
    if (server == null || !device.matches(CUDA + "\\d{1,4}")) {
      throw new UsageException(USAGE);
    }
    CheckReport report = new CheckReport(Instant.now(), out);
    ServiceClient service = new ServiceClient(server, System.getenv("VRAMSCOPE_TOKEN"));
    int ordinal = Integer.parseInt(device.substring(CUDA.length()));
    try (OpenDevice opened = new OpenDevice(CudaDriver.configured(), ordinal)) {
      for (Check check : checks(service, device, opened, golden)) {
        report(check, report);
      }
    }
    if (json != null) {
      Files.writeString(json, report.json());
    }
    return report.hasFailures() ? FAILED : DONE;
  }

  private static List<Check> checks(
      ServiceClient service, String device, OpenDevice opened, @Nullable Path golden) {
    List<Check> checks = new ArrayList<>();
    checks.add(new DriverCheck(service, device));
    checks.add(new SessionCheck(service, device));
    checks.add(new WorkloadsCheck(service, device));
    checks.add(new OutOfMemoryCheck(service, device));
    checks.add(new RecordingCheck(service, device));
    checks.add(new CallOverheadCheck(opened::get));
    checks.add(new CallLatencyCheck(opened::get));
    checks.add(new GoldenOnDeviceCheck(opened::get, golden));
    return checks;
  }

  private static void report(Check check, CheckReport report) throws IOException {
    long begin = System.nanoTime();
    Outcome outcome;
    try {
      outcome = check.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } catch (IOException | RuntimeException e) {
      outcome = Outcome.failed(String.valueOf(e.getMessage()), Map.of());
    }
    report.add(check.name(), outcome, (System.nanoTime() - begin) / 1e9);
  }

  private static String valueAfter(List<String> arguments, int index) {
    if (index + 1 == arguments.size()) {
      throw new UsageException(USAGE);
    }
    return arguments.get(index + 1);
  }

  /** The device in this process, opened when the first check needs it. */
  private static final class OpenDevice implements AutoCloseable {
    private final CudaDriver driver;
    private final int ordinal;
    private @Nullable CudaDevice device;

    OpenDevice(CudaDriver driver, int ordinal) {
      this.driver = driver;
      this.ordinal = ordinal;
    }

    CudaDevice get() {
      if (device == null) {
        device = driver.open(ordinal);
      }
      return device;
    }

    @Override
    public void close() {
      if (device != null) {
        device.close();
      }
    }
  }
}
