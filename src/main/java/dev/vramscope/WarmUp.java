package dev.vramscope;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.format.torch.TorchPickleReader;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.inspection.SnapshotInspection;
import dev.vramscope.postmortem.ReplayEffort;
import dev.vramscope.work.HeavyWork;
import dev.vramscope.work.WorkKind;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPInputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Explains a bundled failure several times after the start, while nothing else is to do: Java
 * compiles the loops of readers, analyses and replays meanwhile, so that the first file of a user
 * needs less time. An AOT cache keeps classes and profiles, but no compiled code.
 */
final class WarmUp {
  private static final String SAMPLE = "/samples/out-of-memory-fragmented.pickle.gz";
  private static final String CLIENT = "warm-up";

  /** The first file after so many took 40 % of the processor time that it takes without. */
  private static final int ROUNDS = 16;

  private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);

  private final HeavyWork work;
  private final AtomicInteger roundsLeft = new AtomicInteger(ROUNDS);

  private WarmUp(HeavyWork work) {
    this.work = work;
  }

  /** Begins, and returns at once. Each round is a task of its own, so that others come between. */
  static WarmUp begin(HeavyWork work) {
    WarmUp warmUp = new WarmUp(work);
    warmUp.submit();
    return warmUp;
  }

  /** 0 after the last one; more if a failure ended it early. */
  int roundsLeft() {
    return roundsLeft.get();
  }

  private void submit() {
    work.submit(WorkKind.BACKGROUND, CLIENT, this::runOne, () -> {});
  }

  private void runOne() {
    try {
      explainSample();
      if (roundsLeft.decrementAndGet() > 0) {
        submit();
      }
    } catch (IOException | FormatException | RuntimeException | OutOfMemoryError failure) {
      LOG.debug("The warm-up ends early", failure);
    }
  }

  private static void explainSample() throws IOException, FormatException {
    try (InputStream sample =
        new GZIPInputStream(
            Objects.requireNonNull(WarmUp.class.getResourceAsStream(SAMPLE), SAMPLE))) {
      SnapshotInspection snapshot =
          SnapshotInspection.of(TorchPickleReader.read(sample, ReadLimits.defaults()));
      DeviceInspection device = snapshot.main().orElseThrow();
      device.failures().explanation(0, device.evidence().combined(), ReplayEffort.FULL);
    }
  }
}
