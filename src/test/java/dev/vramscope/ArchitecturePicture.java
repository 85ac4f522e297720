package dev.vramscope;

import dev.vramscope.Architecture.PackageRule;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * {@link Architecture} as an SVG picture: one row per level, an arrow per direct use. Its colours
 * follow the reader's light or dark theme.
 */
final class ArchitecturePicture {
  private static final int BOX_WIDTH = 240;
  private static final int BOX_HEIGHT = 62;
  private static final int COLUMN = 260;
  private static final int ROW = 122;
  private static final int GAP = ROW - BOX_HEIGHT;
  private static final int MARGIN = 20;
  private static final int CHARACTERS = 34;

  /**
   * Where the middle of each box is, in columns from the left: chosen so that no arrow is hidden.
   */
  private static final Map<String, Double> COLUMNS =
      Map.ofEntries(
          Map.entry("web", 1.5),
          Map.entry("cli", 3.6),
          Map.entry("live", 1.0),
          Map.entry("intake", 0.0),
          Map.entry("budget", 2.0),
          Map.entry("explain", 0.73),
          Map.entry("inspection", 2.1),
          Map.entry("postmortem", 2.05),
          Map.entry("report", 2.55),
          Map.entry("plan", 3.1),
          Map.entry("whatif", 3.0),
          Map.entry("recorder", 4.0),
          Map.entry("replay", 5.0),
          Map.entry("store", 0.0),
          Map.entry("format", 1.0),
          Map.entry("compiled", 1.0),
          Map.entry("analysis", 2.4),
          Map.entry("allocator", 4.0),
          Map.entry("evidence", 1.0),
          Map.entry("work", 0.0),
          Map.entry("model", 2.4),
          Map.entry("device", 4.0));

  private record Position(int x, int y) {}

  private final Map<PackageRule, Position> positions = new HashMap<>();
  private final StringBuilder svg = new StringBuilder();

  private ArchitecturePicture() {}

  static String svg() {
    return new ArchitecturePicture().draw();
  }

  private String draw() {
    List<List<PackageRule>> levels = Architecture.levels();
    for (int row = 0; row < levels.size(); row++) {
      for (PackageRule rule : levels.get(row)) {
        Double column = COLUMNS.get(rule.name());
        if (column == null) {
          throw new IllegalStateException("Choose a column for " + rule.name() + " in COLUMNS.");
        }
        int x = MARGIN + (int) (column * COLUMN);
        positions.put(rule, new Position(x, MARGIN + row * ROW));
      }
    }
    int width =
        positions.values().stream().mapToInt(Position::x).max().orElse(0) + BOX_WIDTH + MARGIN;
    int height = levels.size() * ROW - GAP + 2 * MARGIN;
    svg.append(
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" \
        aria-label="Packages of vramscope and their dependencies">
        <style>
        text { font: 12px system-ui, sans-serif; fill: #24292f; }
        .name { font: 600 15px ui-monospace, monospace; }
        .box { fill: #f6f8fa; stroke: #57606a; }
        .spring { fill: #e6f4ea; }
        .use { fill: none; stroke: #8c959f; stroke-width: 1.4; marker-end: url(#tip); }
        #tip path { fill: #8c959f; }
        .page { fill: #ffffff; }
        @media (prefers-color-scheme: dark) {
        text { fill: #e6edf3; }
        .box { fill: #161b22; stroke: #8b949e; }
        .spring { fill: #12261a; }
        .page { fill: #0d1117; }
        }
        </style>
        <defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" \
        markerHeight="8" orient="auto"><path d="M0 0 8 4 0 8z"/></marker></defs>
        <rect class="page" width="100%%" height="100%%"/>
        """
            .formatted(width, height));
    Architecture.PACKAGES.forEach(
        rule -> Architecture.usesDirectly(rule).forEach(used -> arrow(rule, used)));
    Architecture.PACKAGES.forEach(this::box);
    return svg.append("</svg>\n").toString();
  }

  private void arrow(PackageRule from, PackageRule to) {
    Position start = position(from);
    Position end = position(to);
    int spread = Math.clamp((end.x() - start.x()) / 12, -BOX_WIDTH / 4, BOX_WIDTH / 4);
    int fromX = start.x() + BOX_WIDTH / 2 + spread;
    int toX = end.x() + BOX_WIDTH / 2 - spread;
    int fromY = start.y() + BOX_HEIGHT;
    int toY = end.y() - 2;
    // An arrow past other rows goes straight down next to their boxes and bends in one gap only.
    boolean straightFirst = isFree(fromX, fromY, toY);
    int bendY = straightFirst ? end.y() - GAP : fromY;
    int middle = bendY + GAP / 2;
    svg.append(
        "<path class=\"use\" d=\"M%d %d V%d C%d %d %d %d %d %d V%d\"/>\n"
            .formatted(
                fromX, fromY, bendY, fromX, middle, toX, middle, toX, bendY + GAP - 12, toY));
  }

  private Position position(PackageRule rule) {
    return Objects.requireNonNull(positions.get(rule), rule.name());
  }

  private boolean isFree(int x, int fromY, int toY) {
    return positions.values().stream()
        .noneMatch(
            box ->
                box.y() > fromY
                    && box.y() + BOX_HEIGHT < toY
                    && box.x() - 4 <= x
                    && x <= box.x() + BOX_WIDTH + 4);
  }

  private void box(PackageRule rule) {
    Position at = position(rule);
    svg.append(
        "<rect class=\"box%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"6\"/>\n"
            .formatted(rule.usesSpring() ? " spring" : "", at.x(), at.y(), BOX_WIDTH, BOX_HEIGHT));
    text(at.x() + 12, at.y() + 21, "name", rule.name());
    int line = 0;
    for (String part : wrapped(rule.holds())) {
      text(at.x() + 12, at.y() + 38 + 15 * line++, "holds", part);
    }
  }

  private void text(int x, int y, String style, String text) {
    svg.append("<text class=\"%s\" x=\"%d\" y=\"%d\">%s</text>\n".formatted(style, x, y, text));
  }

  private static List<String> wrapped(String text) {
    if (text.length() <= CHARACTERS) {
      return List.of(text);
    }
    int space = text.lastIndexOf(' ', CHARACTERS);
    return List.of(text.substring(0, space), text.substring(space + 1));
  }
}
