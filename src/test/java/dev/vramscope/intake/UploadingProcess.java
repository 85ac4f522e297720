package dev.vramscope.intake;

import dev.vramscope.store.listing.SaveResult;
import dev.vramscope.store.listing.Tags;
import java.io.ByteArrayInputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.SplittableRandom;

/**
 * A program that uploads endlessly from several threads and prints {@code ACK id sha256} for each
 * stored upload, until it is killed.
 */
final class UploadingProcess {
  private static final int THREADS = 3;

  private UploadingProcess() {}

  public static void main(String[] arguments) throws Exception {
    Path dataDir = Path.of(arguments[0]);
    long seed = Long.parseLong(arguments[1]);
    PrintStream output = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    try (IntakeFixture fixture = new IntakeFixture(dataDir)) {
      Thread[] threads = new Thread[THREADS];
      for (int i = 0; i < THREADS; i++) {
        long threadSeed = seed * THREADS + i;
        threads[i] = Thread.ofPlatform().start(() -> upload(fixture.intake(), threadSeed, output));
      }
      for (Thread thread : threads) {
        thread.join();
      }
    }
  }

  private static void upload(Intake intake, long seed, PrintStream output) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; ; i++) {
      byte[] file =
          JsonSnapshots.file(
              seed * 1_000_000 + i, 1 + random.nextInt(3000), random.nextInt(400_000));
      try {
        SaveResult saved =
            intake.accept(
                new ByteArrayInputStream(file),
                new UploadRequest("upload " + i, Tags.NONE, DuplicateTags.KEEP, file.length));
        output.println("ACK " + saved.snapshot().id() + " " + saved.snapshot().sha256());
      } catch (Exception failed) {
        output.println("FAILED " + failed);
      }
    }
  }
}
