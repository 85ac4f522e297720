package dev.vramscope.web.oom;

import dev.vramscope.analysis.ledger.DeviceEvidence;
import dev.vramscope.inspection.DeviceFailures;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.postmortem.OomReport;
import dev.vramscope.postmortem.ReplayEffort;
import dev.vramscope.postmortem.explanation.Explanation;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.request.SizeParameter;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Which request a post-mortem is about, for the page and for the REST API.
 *
 * @param n the index of a recorded failure
 * @param bytes the size of a hypothetical request at the end, as entered; null for a recorded one
 * @param stream of the hypothetical request; null for the usual one
 * @param effort for replays
 */
record OomQuery(int n, @Nullable String bytes, @Nullable Long stream, ReplayEffort effort) {
  /**
   * A post-mortem.
   *
   * @param explanation null for a hypothetical request
   */
  record Answer(OomReport report, @Nullable Explanation explanation) {}

  /**
   * The answer; empty if the device recorded no failed request.
   *
   * @throws RefusedRequestException if the size cannot be read, or there is no failure of that
   *     index
   */
  Optional<Answer> answer(DeviceInspection device, DeviceEvidence evidence) {
    DeviceFailures failures = device.failures();
    OptionalLong hypothetical = SizeParameter.of("bytes", bytes);
    if (hypothetical.isPresent()) {
      OomReport report =
          failures.hypothetical(hypothetical.getAsLong(), streamOn(device), evidence);
      return Optional.of(new Answer(report, null));
    }
    int count = device.ooms().size();
    if (count == 0) {
      return Optional.empty();
    }
    if (n < 0 || n >= count) {
      throw RefusedRequestException.badParameter("n", n, "0 to " + (count - 1));
    }
    return Optional.of(
        new Answer(failures.report(n, evidence), failures.explanation(n, evidence, effort)));
  }

  /** The stream on which a hypothetical request is tested. */
  long streamOn(DeviceInspection device) {
    return stream != null ? stream : device.failures().defaultStream(n);
  }
}
