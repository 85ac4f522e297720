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

/** Checks a card, by a running service and in this process, and reports. */
public final class GpuCheckCommand implements Command {
  private static final String USAGE =
      "Usage: gpu-check --server URL [--card cuda:0] [--golden DIR] [--json FILE]";
  private static final String CUDA = "cuda:";

  @Override
  public int run(List<String> arguments, PrintStream out) throws IOException {
    URI server = null;
    String card = CUDA + 0;
    Path golden = null;
    Path json = null;
    for (int i = 0; i < arguments.size(); i++) {
      switch (arguments.get(i)) {
        case "--server" -> server = URI.create(valueAfter(arguments, i++));
        case "--card" -> card = valueAfter(arguments, i++);
        case "--golden" -> golden = Path.of(valueAfter(arguments, i++));
        case "--json" -> json = Path.of(valueAfter(arguments, i++));
        default -> throw new UsageException(USAGE);
      }
    }
    if (server == null || !card.matches(CUDA + "\\d{1,4}")) {
      throw new UsageException(USAGE);
    }
    CheckReport report = new CheckReport(Instant.now(), out);
    Service service = new Service(server, System.getenv("VRAMSCOPE_TOKEN"));
    int ordinal = Integer.parseInt(card.substring(CUDA.length()));
    try (OpenCard own = new OpenCard(CudaDriver.configured(), ordinal)) {
      for (Check check : checks(service, card, own, golden)) {
        report(check, report);
      }
    }
    if (json != null) {
      Files.writeString(json, report.json());
    }
    return report.hasFailures() ? FAILED : DONE;
  }

  private static List<Check> checks(
      Service service, String card, OpenCard own, @Nullable Path golden) {
    List<Check> checks = new ArrayList<>();
    checks.add(new DriverCheck(service, card));
    checks.add(new SessionCheck(service, card));
    checks.add(new WorkloadsCheck(service, card));
    checks.add(new OutOfMemoryCheck(service, card));
    checks.add(new RecordingCheck(service, card));
    checks.add(new CallOverheadCheck(own::get));
    checks.add(new CostsCheck(own::get));
    checks.add(new GoldenOnCardCheck(own::get, golden));
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

  /** The card in this process, opened when the first check asks for it. */
  private static final class OpenCard implements AutoCloseable {
    private final CudaDriver driver;
    private final int ordinal;
    private @Nullable CudaDevice device;

    OpenCard(CudaDriver driver, int ordinal) {
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
