package dev.vramscope.explain.host;

import dev.vramscope.evidence.Quantity;
import dev.vramscope.explain.message.Field;
import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.message.Memory;
import dev.vramscope.explain.message.MessageKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A table that somebody printed: what is allocated on MPS, and what its driver holds, at several
 * moments, a column each.
 */
final class MpsTable {
  static final MessageKind MEASURED =
      MessageKind.context(
          "mps-table", Memory.DEVICE, "PyTorch on a Mac (MPS)", "a table of MPS’s memory");

  static final FieldName LIVE = new FieldName("mps-allocated", "Allocated by PyTorch, MPS");
  static final FieldName DRIVER = new FieldName("mps-driver", "Held by the driver for MPS");
  static final FieldName AFTER =
      new FieldName("mps-after-empty-cache", "Held by it after empty_cache()");

  private static final int MAX_ROWS = 10_000;

  private static final Pattern SIZE =
      Pattern.compile("([0-9]{1,12}(?:\\.[0-9]{1,6})?)( ?(?:[kKMGT]i?B?|bytes|B))\\b");

  private record Row(int line, String label, Field live, Field driver, long driverBytes) {}

  private MpsTable() {}

  /** The row in which the driver holds the most. */
  static Optional<LogMessage> read(String text) {
    if (!text.contains("mps") && !text.contains("MPS")) {
      return Optional.empty();
    }
    int liveColumn = -1;
    int driverColumn = -1;
    int number = 0;
    int rows = 0;
    @Nullable Row most = null;
    @Nullable Row after = null;
    for (String line : (Iterable<String>) text.lines()::iterator) {
      number++;
      if (line.indexOf('|') < 0) {
        continue;
      }
      List<String> cells = cells(line);
      String lower = line.toLowerCase(Locale.ROOT);
      if (lower.contains("mps") && lower.contains("driver")) {
        driverColumn = column(cells, "driver");
        liveColumn = column(cells, "mps_current", "allocated", "mps current");
      } else if (driverColumn >= 0 && liveColumn >= 0 && rows++ < MAX_ROWS) {
        Optional<Row> row = row(number, cells, liveColumn, driverColumn);
        if (row.isPresent() && row.get().label().contains("empty_cache")) {
          after = row.get();
        } else if (row.isPresent()
            && (most == null || row.get().driverBytes() > most.driverBytes())) {
          most = row.get();
        }
      }
    }
    if (most == null) {
      return Optional.empty();
    }
    List<Field> fields = new ArrayList<>(List.of(most.live(), most.driver()));
    if (after != null) {
      Field driver = after.driver();
      fields.add(new Field(AFTER, "", driver.written(), driver.quantity()));
    }
    return Optional.of(new LogMessage(MEASURED, most.line(), 1, fields));
  }

  private static List<String> cells(String line) {
    return Arrays.stream(line.replace("**", "").split("\\|", -1)).map(String::strip).toList();
  }

  private static int column(List<String> header, String... names) {
    for (int i = 0; i < header.size(); i++) {
      String cell = header.get(i).toLowerCase(Locale.ROOT);
      if (Arrays.stream(names).anyMatch(cell::contains)
          && !(cell.contains("driver") && !names[0].equals("driver"))) {
        return i;
      }
    }
    return -1;
  }

  private static Optional<Row> row(int line, List<String> cells, int live, int driver) {
    if (cells.size() <= Math.max(live, driver)) {
      return Optional.empty();
    }
    Optional<Field> liveField = field(LIVE, cells.get(live));
    Optional<Field> driverField = field(DRIVER, cells.get(driver));
    if (liveField.isEmpty() || driverField.isEmpty()) {
      return Optional.empty();
    }
    long bytes = driverField.get().quantity().map(Quantity::bytes).orElse(0L);
    return Optional.of(
        new Row(line, String.join(" ", cells), liveField.get(), driverField.get(), bytes));
  }

  private static Optional<Field> field(FieldName name, String cell) {
    Matcher size = SIZE.matcher(cell);
    return size.find()
        ? Optional.of(new Field(name, "", size.group(), Quantity.of(size.group(1), size.group(2))))
        : Optional.empty();
  }
}
