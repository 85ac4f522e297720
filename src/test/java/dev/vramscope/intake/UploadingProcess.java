package dev.vramscope.intake;

import dev.vramscope.store.SaveResult;
import dev.vramscope.store.Tags;
import java.io.ByteArrayInputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.SplittableRandom;

/**
 * A program that uploads without end from several threads, and says of each upload what the service
 * answers: {@code ACK id sha256}. It is there to be killed.
 */
final class UploadingProcess {
  private static final int THREADS = 3;

  private UploadingProcess() {}

  public static void main(String[] arguments) throws Exception {
    Path dataDir = Path.of(arguments[0]);
    long seed = Long.parseLong(arguments[1]);
    PrintStream answers = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    try (IntakeFixture fixture = new IntakeFixture(dataDir)) {
      Thread[] threads = new Thread[THREADS];
      for (int i = 0; i < THREADS; i++) {
        long own = seed * THREADS + i;
        threads[i] = Thread.ofPlatform().start(() -> upload(fixture.intake(), own, answers));
      }
      for (Thread thread : threads) {
        thread.join();
      }
    }
  }

  private static void upload(Intake intake, long seed, PrintStream answers) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; ; i++) {
      byte[] file =
          JsonSnapshots.file(
              seed * 1_000_000 + i, 1 + random.nextInt(3000), random.nextInt(400_000));
      try {
        SaveResult saved =
            intake.accept(
                new ByteArrayInputStream(file),
                new UploadRequest("upload " + i, Tags.NONE, file.length));
        answers.println("ACK " + saved.snapshot().id() + " " + saved.snapshot().sha256());
      } catch (Exception failed) {
        answers.println("FAILED " + failed);
      }
    }
  }
}
