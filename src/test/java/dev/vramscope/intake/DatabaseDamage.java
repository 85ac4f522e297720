package dev.vramscope.intake;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Damage of a database file. */
enum DatabaseDamage {
  GARBAGE {
    @Override
    void damage(Path file) throws IOException {
      Files.writeString(file, "this is not a database".repeat(1000));
    }
  },
  EMPTY {
    @Override
    void damage(Path file) throws IOException {
      Files.write(file, new byte[0]);
    }
  },
  ZEROED_HEADER {
    @Override
    void damage(Path file) throws IOException {
      OnDataFolder.overwrite(file, 0, new byte[8192]);
    }
  },
  CUT {
    @Override
    void damage(Path file) throws IOException {
      try (RandomAccessFile database = new RandomAccessFile(file.toFile(), "rw")) {
        database.setLength(database.length() / 3);
      }
    }
  },
  ZEROED_BUT_THE_HEADER {
    @Override
    void damage(Path file) throws IOException {
      OnDataFolder.overwrite(file, 8192, new byte[(int) Files.size(file) - 8192]);
    }
  },
  WRONG_VERSION {
    @Override
    void damage(Path file) throws IOException {
      String header = new String(Files.readAllBytes(file), 0, 4096, StandardCharsets.ISO_8859_1);
      OnDataFolder.overwrite(file, header.indexOf("format:") + 7, new byte[] {'9'});
      OnDataFolder.overwrite(file, 4096 + header.indexOf("format:") + 7, new byte[] {'9'});
    }
  },
  MISSING {
    @Override
    void damage(Path file) throws IOException {
      Files.delete(file);
    }
  };

  abstract void damage(Path file) throws IOException;

  /** H2 opens the others, with an older state or empty. */
  boolean isRejectedByH2() {
    return this == GARBAGE || this == ZEROED_HEADER || this == WRONG_VERSION;
  }
}
