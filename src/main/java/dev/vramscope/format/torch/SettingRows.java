package dev.vramscope.format.torch;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.pickle.Cell;
import dev.vramscope.format.pickle.PickleValues;
import dev.vramscope.model.AllocatorSettings;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The allocator settings as names and texts; a setting that is a dict becomes one per key. */
final class SettingRows {
  private static final int MAX_SETTINGS = 10_000;

  /**
   * Characters of all names and values together: the name of a dict is repeated in the names of its
   * settings.
   */
  private static final int MAX_LENGTH = 1 << 22;

  private final PickleValues values;
  private final Map<String, String> settings = new LinkedHashMap<>();
  private long length;
  private boolean accepted;

  SettingRows(PickleValues values) {
    this.values = values;
  }

  long open() {
    settings.clear();
    length = 0;
    return Role.SETTINGS.cell(0);
  }

  /** Opens a setting that is a dict. */
  long openGroup(long key) {
    return Role.SETTINGS_GROUP.cell(Cell.payload(key));
  }

  void put(long key, long value) throws FormatException {
    put(name(key), value);
  }

  void putInGroup(long group, long key, long value) throws FormatException {
    put(values.texts().text(Role.number(group)) + "." + name(key), value);
  }

  void accept(long cell) throws FormatException {
    if (Cell.tag(cell) == Cell.NONE) {
      return;
    }
    if (!Role.SETTINGS.is(cell)) {
      throw Fields.malformed(
          Key.ALLOCATOR_SETTINGS.text(), "expected a dict, found " + Cell.describe(cell));
    }
    accepted = true;
  }

  Optional<AllocatorSettings> build() {
    return accepted ? Optional.of(new AllocatorSettings(settings)) : Optional.empty();
  }

  private void put(String name, long value) throws FormatException {
    if (settings.size() >= MAX_SETTINGS) {
      throw Fields.implausible(
          Key.ALLOCATOR_SETTINGS.text(), "more than " + MAX_SETTINGS + " settings");
    }
    length += name.length() + (Cell.tag(value) == Cell.TEXT ? values.text(value).length() : 0);
    if (length > MAX_LENGTH) {
      throw Fields.implausible(
          Key.ALLOCATOR_SETTINGS.text(), "texts of more than " + MAX_LENGTH + " characters");
    }
    switch (Cell.tag(value)) {
      case Cell.TRUE -> settings.put(name, "true");
      case Cell.FALSE -> settings.put(name, "false");
      case Cell.FLOAT -> settings.put(name, Double.toString(values.floating(value)));
      case Cell.TEXT -> settings.put(name, values.text(value));
      case Cell.INT, Cell.WIDE ->
          settings.put(
              name,
              PickleValues.isAboveLong(value)
                  ? Long.toUnsignedString(values.bits(value))
                  : Long.toString(values.bits(value)));
      // None, or a container whose keys have become settings already.
      default -> {}
    }
  }

  private String name(long key) {
    return switch (Cell.tag(key)) {
      case Cell.TEXT -> values.text(key);
      case Cell.INT -> Long.toString(values.bits(key));
      default -> Cell.describe(key);
    };
  }
}
