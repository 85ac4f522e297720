package dev.vramscope.web.compiled;

import dev.vramscope.compiled.CompiledProgram;
import dev.vramscope.compiled.PackingMap;
import dev.vramscope.compiled.PackingMap.Rectangle;
import dev.vramscope.compiled.ProgramBuffer;
import dev.vramscope.web.compare.CompareChart.Tick;
import dev.vramscope.web.display.DisplayFormat;
import dev.vramscope.web.display.RoundTicks;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The packing map as rectangles, in units of {@link #WIDTH} and {@link #HEIGHT}; offset 0 is at the
 * bottom.
 *
 * @param boxes one for each buffer that is large enough
 * @param merged a path of all smaller ones; may be empty
 * @param peak where the peak is, in percent from the left; null if it is not known
 */
public record PackingChart(
    List<Box> boxes,
    String merged,
    @Nullable Double peak,
    List<Tick> byteTicks,
    List<Tick> axisTicks,
    int bufferCount) {
  private static final int WIDTH = 1000;
  private static final int HEIGHT = 500;
  private static final int COLOURS = 7;
  private static final DisplayFormat FORMAT = new DisplayFormat();

  /** A buffer in place. */
  public record Box(String x, String y, String width, String height, int colour, String text) {}

  static Optional<PackingChart> of(CompiledProgram program) {
    return PackingMap.of(program).map(map -> of(map, program));
  }

  private static PackingChart of(PackingMap map, CompiledProgram program) {
    long bytes = map.allocation().bytes();
    int peak = program.liveRanges().map(ranges -> ranges.peakPosition()).orElse(-1);
    return new PackingChart(
        map.buffers().stream().map(each -> box(each, program)).toList(),
        merged(map.cells()),
        peak < 0 ? null : (Double) (100 * (peak + 0.5) / map.positions()),
        RoundTicks.bytes(0, bytes, 6).stream()
            .map(tick -> new Tick(tick, 100.0 - 100.0 * tick / bytes))
            .toList(),
        RoundTicks.counts(0, map.positions(), 8).stream()
            .map(tick -> new Tick(tick, 100.0 * tick / map.positions()))
            .toList(),
        map.allocation().buffers().size());
  }

  private static Box box(Rectangle each, CompiledProgram program) {
    ProgramBuffer buffer = Objects.requireNonNull(each.buffer());
    var range = Objects.requireNonNull(each.range());
    String operation =
        program
            .instruction(buffer.instruction())
            .map(instruction -> instruction.operation())
            .filter(name -> !name.isEmpty())
            .map(name -> "\n" + FORMAT.elided(name, 120))
            .orElse("");
    return new Box(
        number(WIDTH * each.x()),
        number(HEIGHT * (1 - each.y() - each.height())),
        number(WIDTH * each.width()),
        number(HEIGHT * each.height()),
        1 + Math.floorMod(buffer.shape().hashCode(), COLOURS),
        buffer.instruction()
            + " "
            + FORMAT.elided(buffer.shape(), 80)
            + "\n"
            + FORMAT.bytes(buffer.bytes())
            + " at offset "
            + FORMAT.count(buffer.offset())
            + ", positions "
            + range.start()
            + " to "
            + range.end()
            + operation);
  }

  private static String merged(List<Rectangle> cells) {
    StringBuilder path = new StringBuilder();
    for (Rectangle each : cells) {
      path.append('M')
          .append(number(WIDTH * each.x()))
          .append(' ')
          .append(number(HEIGHT * (1 - each.y() - each.height())))
          .append('h')
          .append(number(WIDTH * each.width()))
          .append('v')
          .append(number(HEIGHT * each.height()))
          .append('h')
          .append(number(-WIDTH * each.width()))
          .append('z');
    }
    return path.toString();
  }

  private static String number(double value) {
    double rounded = Math.round(value * 100) / 100.0;
    return rounded == (long) rounded
        ? String.valueOf((long) rounded)
        : String.format(Locale.ROOT, "%.2f", rounded);
  }
}
