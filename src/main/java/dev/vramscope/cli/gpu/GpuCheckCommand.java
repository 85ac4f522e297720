package dev.vramscope.cli.gpu;

import dev.vramscope.cli.arguments.Arguments;
import dev.vramscope.cli.arguments.Command;
import dev.vramscope.cli.arguments.Description;
import dev.vramscope.cli.arguments.Option;
import dev.vramscope.cli.arguments.UsageException;
import dev.vramscope.device.cuda.CudaDevice;
import dev.vramscope.device.cuda.CudaDriver;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Checks a GPU through a running service and in this process, and writes a report. */
public final class GpuCheckCommand implements Command {
  private static final String SERVER = "--server";
  private static final String DEVICE = "--device";
  private static final String GOLDEN = "--golden";
  private static final String JSON = "--json";
  private static final Description DESCRIPTION =
      new Description(
          "gpu-check",
          "Checks a GPU through a running service and in this process, and prints a report",
          "",
          "--server is required. The access token is read from the variable VRAMSCOPE_TOKEN. The"
              + " exit code is 1 if a check fails.",
          "gpu-check --server http://localhost:8080 --device cuda:0 --json report.json",
          List.of(
              Option.valued(SERVER, "URL", "The service, such as http://localhost:8080"),
              Option.valued(DEVICE, "cuda:N", "The device; cuda:0 by default"),
              Option.valued(GOLDEN, "DIR", "Runs the recorded cases of this folder on the device"),
              Option.valued(JSON, "FILE", "Writes the report to a file")));
  private static final String CUDA = "cuda:";

  @Override
  public Description description() {
    return DESCRIPTION;
  }

  @Override
  public int run(Arguments arguments, PrintStream out) throws IOException {
    URI server = server(arguments.value(SERVER));
    String device = Objects.requireNonNullElse(arguments.value(DEVICE), CUDA + 0);
    Path golden = path(arguments.value(GOLDEN));
    Path json = path(arguments.value(JSON));
    if (!device.matches(CUDA + "\\d{1,4}")) {
      throw new UsageException(DEVICE + " is cuda:N, not '" + device + "'.", DESCRIPTION);
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
    CheckOutcome outcome;
    try {
      outcome = check.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } catch (IOException | RuntimeException e) {
      outcome = CheckOutcome.failed(String.valueOf(e.getMessage()), Map.of());
    }
    report.add(check.name(), outcome, (System.nanoTime() - begin) / 1e9);
  }

  private static URI server(@Nullable String url) {
    if (url == null) {
      throw new UsageException(SERVER + " is missing.", DESCRIPTION);
    }
    try {
      return new URI(url);
    } catch (URISyntaxException invalid) {
      throw new UsageException(SERVER + " is not a URL: " + url, DESCRIPTION);
    }
  }

  private static @Nullable Path path(@Nullable String file) {
    return file == null ? null : Path.of(file);
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
