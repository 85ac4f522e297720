package dev.vramscope.explain.reading;

import dev.vramscope.evidence.BinLine;
import dev.vramscope.evidence.ChunkLine;
import dev.vramscope.evidence.Quantity;
import dev.vramscope.evidence.RequestedInBins;
import dev.vramscope.explain.message.Field;
import dev.vramscope.explain.message.FieldName;
import dev.vramscope.model.ByteText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;

/**
 * What the lists of a BFC dump add up to: its bins and its chunks. A list of which lines are
 * missing has no sum.
 */
final class BfcLists {
  private static final FieldPattern BIN = new FieldPattern(BinLine.PATTERN);

  private static final FieldPattern REGION =
      new FieldPattern("\\bNext region of size ([0-9]{1,18})\\b");

  private static final FieldPattern CHUNK = new FieldPattern(ChunkLine.PATTERN);

  /** The programs with the most bytes that become fields. */
  private static final int MAX_HOLDERS = 10;

  private BfcLists() {}

  /** The sums as fields of a message, whose end is exclusive. */
  static List<Field> fields(String text, int from, int to) {
    List<Field> fields = new ArrayList<>();
    requested(BIN.matcher(text, from, to)).ifPresent(fields::add);
    addChunks(fields, REGION.matcher(text, from, to), CHUNK.matcher(text, from, to));
    return fields;
  }

  private static Optional<Field> requested(Matcher bin) {
    RequestedInBins totals = new RequestedInBins();
    while (bin.find()) {
      totals.add(bin);
    }
    return totals.requested().map(sum -> field(FieldName.CLIENT_REQUESTED, sum));
  }

  /** Chunks tile their regions: if some are missing, the sums differ. */
  private static void addChunks(List<Field> fields, Matcher region, Matcher chunk) {
    long unseen = 0;
    boolean isListed = false;
    while (region.find() && unseen >= 0) {
      unseen += Long.parseLong(region.group(1));
      isListed = true;
    }
    long free = 0;
    long largest = 0;
    Map<String, Long> holders = new HashMap<>();
    while (isListed && chunk.find() && unseen >= 0) {
      ChunkLine line = ChunkLine.of(chunk);
      unseen -= line.bytes();
      if (line.isFree()) {
        free += line.bytes();
        largest = Math.max(largest, line.bytes());
      } else if (!line.operation().isEmpty()) {
        holders.merge(line.operation(), line.bytes(), Long::sum);
      }
    }
    if (isListed && unseen == 0) {
      fields.add(field(FieldName.FREE_CHUNKS, Quantity.exact(free)));
      fields.add(field(FieldName.LARGEST_FREE, Quantity.exact(largest)));
      holders.entrySet().stream()
          .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
          .limit(MAX_HOLDERS)
          .map(each -> holder(each.getKey(), each.getValue()))
          .forEach(fields::add);
    }
  }

  private static Field holder(String program, long bytes) {
    return new Field(
        FieldName.HELD_BY, program, Long.toString(bytes), Optional.of(Quantity.exact(bytes)));
  }

  private static Field field(FieldName name, Quantity sum) {
    String text = sum.errorBytes() == 0 ? Long.toString(sum.bytes()) : ByteText.of(sum.bytes());
    return new Field(name, "", text, Optional.of(sum));
  }
}
