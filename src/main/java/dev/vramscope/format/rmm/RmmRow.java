package dev.vramscope.format.rmm;

import dev.vramscope.model.ByteSize;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A row of an event log.
 *
 * @param device from 0; logs of today have none
 * @param micros since the midnight before the first row, or since the program began; negative if
 *     the row has no time
 * @param stream as a number
 * @param deviceFree free memory of the device; negative if the row has none, as those of today
 * @param deviceTotal size of the device; negative if the row has none
 */
record RmmRow(
    Action action,
    int device,
    long address,
    long bytes,
    long stream,
    long micros,
    long deviceFree,
    long deviceTotal) {
  /** No device has more. */
  static final long MAX_BYTES = ByteSize.MAX_BYTES;

  enum Action {
    ALLOCATE,
    FREE,
    FAIL
  }

  private static final int COLUMNS = 6;
  private static final int LEGACY_COLUMNS = 11;
  private static final long MAX_DEVICES = 128;
  private static final long MICROS = 1_000_000;

  /** {@code thread,time,action,pointer,size,stream}; empty if it is not such a row. */
  static Optional<RmmRow> of(String line) {
    String[] cells = line.strip().split(",", COLUMNS + 1);
    if (cells.length != COLUMNS) {
      return Optional.empty();
    }
    Action action =
        switch (cells[2].strip()) {
          case "allocate" -> Action.ALLOCATE;
          case "free" -> Action.FREE;
          case "allocate failure" -> Action.FAIL;
          default -> null;
        };
    Long address = action == Action.FAIL ? Long.valueOf(0) : number(cells[3], /* isHex= */ true);
    Long bytes = number(cells[4], /* isHex= */ false);
    Long stream = number(cells[5], /* isHex= */ true);
    return action == null || address == null || bytes == null || bytes > MAX_BYTES || stream == null
        ? Optional.empty()
        : Optional.of(new RmmRow(action, 0, address, bytes, stream, timeOfDay(cells[1]), -1, -1));
  }

  /** {@code Event Type,Device ID,Address,Stream,Size,…,Start,End,…} of releases before 0.14. */
  static Optional<RmmRow> ofLegacy(String line) {
    String[] cells = line.strip().split(",", LEGACY_COLUMNS + 1);
    if (cells.length < LEGACY_COLUMNS) {
      return Optional.empty();
    }
    Action action =
        switch (cells[0].strip()) {
          case "Alloc" -> Action.ALLOCATE;
          case "Free" -> Action.FREE;
          default -> null;
        };
    Long device = number(cells[1], /* isHex= */ false);
    Long address = number(cells[2], /* isHex= */ true);
    Long stream = number(cells[3], /* isHex= */ false);
    Long bytes = number(cells[4], /* isHex= */ false);
    if (action == null || device == null || address == null || stream == null || bytes == null) {
      return Optional.empty();
    }
    return device < MAX_DEVICES && bytes <= MAX_BYTES
        ? Optional.of(
            new RmmRow(
                action,
                device.intValue(),
                address,
                bytes,
                stream,
                seconds(cells[8]),
                bytesIfKnown(cells[5]),
                bytesIfKnown(cells[6])))
        : Optional.empty();
  }

  private static long bytesIfKnown(String cell) {
    Long bytes = number(cell, /* isHex= */ false);
    return bytes == null || bytes > MAX_BYTES ? -1 : bytes;
  }

  private static @Nullable Long number(String cell, boolean isHex) {
    String text = cell.strip();
    try {
      if (text.startsWith("0x")) {
        return Long.parseUnsignedLong(text.substring(2), 16);
      }
      // A stream without a prefix is hexadecimal, too; a small one is the same in both.
      long value = isHex ? Long.parseUnsignedLong(text, 16) : Long.parseLong(text);
      return isHex || value >= 0 ? (Long) value : null;
    } catch (NumberFormatException none) {
      return null;
    }
  }

  /** {@code 14:21:19.998533} or {@code 14:21:19:998533}. */
  private static long timeOfDay(String cell) {
    String[] parts = cell.strip().split("[:.]");
    if (parts.length != 4 || parts[3].length() > 6) {
      return -1;
    }
    try {
      long seconds =
          Integer.parseInt(parts[0]) * 3600L
              + Integer.parseInt(parts[1]) * 60L
              + Integer.parseInt(parts[2]);
      long fraction = Integer.parseInt(parts[3]);
      for (int i = parts[3].length(); i < 6; i++) {
        fraction *= 10;
      }
      return seconds * MICROS + fraction;
    } catch (NumberFormatException none) {
      return -1;
    }
  }

  private static long seconds(String cell) {
    try {
      double seconds = Double.parseDouble(cell.strip());
      return seconds >= 0 && seconds < 1e9 ? (long) (seconds * MICROS) : -1;
    } catch (NumberFormatException none) {
      return -1;
    }
  }
}
