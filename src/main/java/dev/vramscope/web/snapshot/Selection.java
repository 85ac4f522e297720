package dev.vramscope.web.snapshot;

import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.model.Block;
import dev.vramscope.model.Segment;
import dev.vramscope.web.display.DisplayFormat;
import dev.vramscope.web.display.GroupedDigits;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a page's URL selects. A value that selects nothing is no error: the page opens, and a note
 * gives the reason.
 *
 * @param value the number or the address, or null if nothing is selected
 * @param note a sentence for the user, or null
 */
public record Selection(@Nullable Long value, @Nullable String note) {
  private static final Selection NOTHING = new Selection(null, null);
  private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");
  private static final Pattern ADDRESS = Pattern.compile("0[xX][0-9a-fA-F]{1,16}");
  private static final int SHOWN = 40;
  private static final DisplayFormat FORMAT = new DisplayFormat();

  /** Selects one of {@code count} things with numbers from 0. */
  public static Selection ofNumber(@Nullable String text, int count, String noun, String owner) {
    if (text == null || text.isBlank()) {
      return NOTHING;
    }
    String digits = GroupedDigits.ungrouped(text.strip());
    if (NUMBER.matcher(digits).matches() && Long.parseLong(digits) < count) {
      return new Selection(Long.parseLong(digits), null);
    }
    String range =
        switch (count) {
          case 0 -> owner + " has no " + noun + "s.";
          case 1 -> owner + " has only " + noun + " 0.";
          default -> owner + " has " + noun + "s 0 to " + FORMAT.count(count - 1) + ".";
        };
    return new Selection(null, "There is no " + noun + " " + shownText(text) + ". " + range);
  }

  /**
   * Selects the block of the final state that contains an address. The block of an allocation,
   * which a number selects, is known to the script: it depends on the moment that is shown.
   */
  public static Selection ofBlock(@Nullable String text, DeviceInspection device) {
    if (text == null || text.isBlank()) {
      return NOTHING;
    }
    if (NUMBER.matcher(text).matches()) {
      String owner = device.device().label();
      return new Selection(
          null, ofNumber(text, device.lifetimes().size(), "allocation", owner).note());
    }
    if (!ADDRESS.matcher(text).matches()) {
      return new Selection(
          null, shownText(text) + " is not an address. An address is hexadecimal: 0x7f0b1c000000.");
    }
    long address = Long.parseUnsignedLong(text.substring(2), 16);
    Segment segment = device.device().segmentAt(address).orElse(null);
    if (segment == null) {
      return new Selection(
          null,
          "No segment contains "
              + FORMAT.hex(address)
              + " at the end of the recording. The memory was released before, or belongs to"
              + " another device.");
    }
    for (Block block : segment.blocks()) {
      if (block.contains(address)) {
        return block.address() == address
            ? new Selection(address, null)
            : new Selection(
                block.address(),
                "At the end of the recording no block starts at "
                    + FORMAT.hex(address)
                    + ". The selected block contains this address.");
      }
    }
    return new Selection(
        null, "No block contains " + FORMAT.hex(address) + " at the end of the recording.");
  }

  /** The sentences of those that select nothing. */
  public static List<String> notes(Selection... selections) {
    return Arrays.stream(selections).map(Selection::note).filter(Objects::nonNull).toList();
  }

  /** The selected address in hex, or null. */
  public @Nullable String address() {
    return value == null ? null : FORMAT.hex(value);
  }

  private static String shownText(String text) {
    return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…";
  }
}
