package dev.vramscope.intake;

import dev.vramscope.store.files.StoreUnavailableException;
import dev.vramscope.store.listing.Tags;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.springframework.util.unit.DataSize;

/**
 * Uploads until the disk is full and then deletes, until it is killed. Prints {@code ACK id
 * sha256}, {@code DELETING id} and {@code DELETED id}.
 */
final class FullDiskProcess {
  private FullDiskProcess() {}

  public static void main(String[] arguments) throws Exception {
    SplittableRandom random = new SplittableRandom(Long.parseLong(arguments[1]));
    IntakeFixture fixture =
        new IntakeFixture(
            Path.of(arguments[0]),
            DataSize.ofKilobytes(Long.parseLong(arguments[2])),
            IntakeFixture.LIMITS);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> close(fixture)));
    List<String> stored = new ArrayList<>();
    int rejected = 0;
    while (true) {
      byte[] file = JsonSnapshots.file(random.nextLong(), 200, random.nextInt(100_000, 900_000));
      try {
        var saved =
            fixture
                .intake()
                .accept(
                    new ByteArrayInputStream(file),
                    new UploadRequest("f", Tags.NONE, DuplicateTags.KEEP, file.length))
                .snapshot();
        if (stored.isEmpty() && rejected == 0) {
          System.out.println("READY"); // The parent counts the time from the first upload.
        }
        System.out.println("ACK " + saved.id() + " " + saved.sha256());
        stored.add(saved.id());
      } catch (StoreUnavailableException full) {
        rejected++;
      }
      if (rejected > 3 && !stored.isEmpty() && random.nextInt(4) == 0) {
        String id = stored.remove(random.nextInt(stored.size()));
        System.out.println("DELETING " + id);
        if (!fixture.store().delete(id)) {
          throw new IllegalStateException(id + " does not exist");
        }
        System.out.println("DELETED " + id);
      }
    }
  }

  private static void close(IntakeFixture fixture) {
    try {
      fixture.close();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
