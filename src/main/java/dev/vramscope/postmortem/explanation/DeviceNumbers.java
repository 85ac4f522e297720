package dev.vramscope.postmortem.explanation;

import dev.vramscope.analysis.ledger.Ledger.Amount;
import dev.vramscope.postmortem.OomReport;
import dev.vramscope.postmortem.cause.Request;
import java.util.OptionalLong;

/** The device at the failure, as far as it is known. */
record DeviceNumbers(OomReport report) {
  /** The size of the device. */
  OptionalLong total() {
    return report.ledger().total() instanceof Amount.Known(long bytes)
        ? OptionalLong.of(bytes)
        : OptionalLong.empty();
  }

  /** Whether the size of the device is no measurement. */
  boolean isEstimated() {
    return report.ledger().isTotalEstimated();
  }

  String ofTheGpu() {
    return isEstimated() ? " of the GPU's estimated " : " of the GPU's ";
  }

  /** What the recording shows of the device. */
  long shownBytes() {
    return report.state().reservedBytes() + report.request().deviceFreeBytes();
  }

  /** Memory of the device that neither the allocator holds nor is free. */
  OptionalLong outsideBytes() {
    OptionalLong total = total();
    Request request = report.request();
    return total.isPresent() && request.isDeviceFreeKnown()
        ? OptionalLong.of(Math.max(0, total.getAsLong() - shownBytes()))
        : OptionalLong.empty();
  }
}
