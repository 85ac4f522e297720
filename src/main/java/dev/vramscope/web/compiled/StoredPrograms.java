package dev.vramscope.web.compiled;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.vramscope.compiled.CompiledFile;
import dev.vramscope.compiled.CompiledProgram;
import dev.vramscope.format.FormatException;
import dev.vramscope.intake.CompiledProgramFile;
import dev.vramscope.store.SnapshotStore;
import dev.vramscope.store.files.OriginalFile;
import dev.vramscope.store.listing.StoredSnapshot;
import dev.vramscope.web.problem.RefusedRequestException;
import java.io.BufferedInputStream;
import java.io.IOException;
import org.springframework.stereotype.Component;

/** Stored compiled programs, read from their texts when somebody opens them. */
@Component
class StoredPrograms {
  private static final int KEPT = 50;

  private final SnapshotStore store;

  /** The file of an upload never changes; its heap is free when something else needs it. */
  private final Cache<String, CompiledFile> files =
      Caffeine.newBuilder().maximumSize(KEPT).softValues().executor(Runnable::run).build();

  StoredPrograms(SnapshotStore store) {
    this.store = store;
  }

  /**
   * The metadata of a compiled program.
   *
   * @throws RefusedRequestException if it is not stored, or is something else
   */
  StoredSnapshot find(String id) {
    StoredSnapshot stored = store.get(id).orElseThrow(() -> RefusedRequestException.noSnapshot(id));
    if (!stored.isCompiled()) {
      throw RefusedRequestException.notCompiled(id, stored.path());
    }
    return stored;
  }

  /**
   * The programs of an upload.
   *
   * @throws RefusedRequestException if it is not stored, or is something else
   * @throws IOException if the stored file is damaged
   */
  CompiledFile read(String id) throws IOException {
    String sha256 = find(id).sha256();
    CompiledFile known = files.getIfPresent(sha256);
    if (known != null) {
      return known;
    }
    try (OriginalFile original =
        store.original(id).orElseThrow(() -> RefusedRequestException.noSnapshot(id))) {
      CompiledFile read =
          CompiledProgramFile.readStored(new BufferedInputStream(original.stream()));
      files.put(sha256, read);
      return read;
    } catch (FormatException damaged) {
      throw new IOException("The stored text of " + id + " cannot be read again", damaged);
    }
  }

  /**
   * One program of an upload.
   *
   * @throws RefusedRequestException if there is none with this number
   */
  static CompiledProgram program(CompiledFile file, int number, String parameter) {
    int count = file.programs().size();
    if (number < 0 || number >= count) {
      throw RefusedRequestException.badParameter(
          parameter,
          number,
          count == 0 ? "none: the upload has no program" : "0 to " + (count - 1));
    }
    return file.programs().get(number);
  }

  /**
   * Compares two programs.
   *
   * @throws RefusedRequestException if they state nothing that can be compared
   */
  ComparisonView compare(String first, int p, String second, int q) throws IOException {
    CompiledProgram before = program(read(first), p, "p");
    CompiledProgram after = program(read(second), q, "q");
    return ComparisonView.of(before, after)
        .orElseThrow(
            () ->
                RefusedRequestException.badParameter(
                    "b",
                    second,
                    "programs that both have a buffer assignment, or both memory_analysis()"));
  }
}
