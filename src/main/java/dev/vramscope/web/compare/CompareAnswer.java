package dev.vramscope.web.compare;

import dev.vramscope.analysis.diff.DiffRows;
import dev.vramscope.analysis.diff.DiffRows.Held;
import dev.vramscope.analysis.diff.MemoryDiff;
import dev.vramscope.model.SentenceCase;
import dev.vramscope.web.compare.CompareForm.Show;
import dev.vramscope.web.display.DisplayFormat;
import dev.vramscope.web.snapshot.FrameView;
import dev.vramscope.web.snapshot.ShownSentence;
import dev.vramscope.web.snapshot.ShownSentence.Part;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer of a comparison: how much more, and which sites hold most of what is more and less.
 */
final class CompareAnswer {
  private static final DisplayFormat FORMAT = new DisplayFormat();
  private static final int NAME = 60;

  private final Comparison comparison;
  private final List<Part> parts = new ArrayList<>();

  private CompareAnswer(Comparison comparison) {
    this.comparison = comparison;
  }

  static ShownSentence of(Comparison comparison) {
    CompareAnswer answer = new CompareAnswer(comparison);
    MemoryDiff memory = comparison.memory();
    answer.total(memory.differenceBytes(), memory.afterBytes());
    answer.sites(memory.sites(), memory.differenceBytes());
    return new ShownSentence(answer.parts);
  }

  /** Such as: B holds 3.2 GiB more at its peak than A. */
  private void total(long difference, long bytes) {
    ComparedDevice a = comparison.a();
    ComparedDevice b = comparison.b();
    boolean isSame = comparison.isSameDevice();
    boolean areAlike = !isSame && a.moment().text().equals(b.moment().text());
    String first = (isSame ? "" : "A ") + a.moment().text();
    if (difference == 0) {
      words(
          isSame
              ? "The program holds the same " + b.moment().text() + " as " + first + ", "
              : areAlike
                  ? "A and B hold the same, each " + b.moment().text() + ": "
                  : "A and B hold the same, A "
                      + a.moment().text()
                      + " and B "
                      + b.moment().text()
                      + ": ");
      bytes(bytes);
      return;
    }
    words(isSame ? SentenceCase.of(b.moment().text()) + ", the program holds " : "B holds ");
    bytes(Math.abs(difference));
    words(difference > 0 ? " more" : " less");
    if (!isSame) {
      words(" " + b.moment().text());
    }
    words(" than " + (areAlike ? "A" : first));
  }

  /** What holds more and what less; first the direction of the difference of all together. */
  private void sites(DiffRows sites, long total) {
    List<DiffRows.Row> more = largest(sites, Show.MORE);
    List<DiffRows.Row> less = largest(sites, Show.LESS);
    if (more.isEmpty() && less.isEmpty()) {
      words(total == 0 ? ", at the same sites." : ".");
    } else if (more.isEmpty() || less.isEmpty()) {
      partOfAll(more.isEmpty() ? less.getFirst() : more.getFirst(), total);
    } else {
      words(total == 0 ? ", but not at the same sites." : ".");
      direction(total < 0 ? Show.LESS : Show.MORE, total < 0 ? less : more, sites);
      direction(total < 0 ? Show.MORE : Show.LESS, total < 0 ? more : less, sites);
    }
  }

  private static List<DiffRows.Row> largest(DiffRows sites, Show direction) {
    return sites.largest().stream().filter(row -> direction.includes(row.change())).toList();
  }

  /** Such as: ; 3 GiB of it is forward train.py:14, with 12 allocations instead of 6. */
  private void partOfAll(DiffRows.Row row, long total) {
    words("; ");
    if (row.differenceBytes() == total) {
      words("all");
    } else {
      bytes(Math.abs(row.differenceBytes()));
    }
    words(" of it is ");
    name(row);
    words(", with ");
    counts(row);
    words(".");
  }

  /**
   * Such as: 322 sites hold 45.2 GiB more, the most of them forward train.py:14: 3 GiB, with 12
   * allocations instead of 6.
   */
  private void direction(Show direction, List<DiffRows.Row> rows, DiffRows sites) {
    String words = direction == Show.MORE ? " more" : " less";
    CompareTable.Sums sums = CompareTable.Sums.of(sites, direction);
    DiffRows.Row row = rows.getFirst();
    words(" ");
    if (sums.rowCount() > 1) {
      words(FORMAT.counted(sums.rowCount(), "site") + " hold ");
      bytes(Math.abs(sums.differenceBytes()));
      words(words + ", the most of them ");
      name(row);
      words(": ");
      bytes(Math.abs(row.differenceBytes()));
    } else {
      name(row);
      words(" holds ");
      bytes(Math.abs(row.differenceBytes()));
      words(words);
    }
    words(", with ");
    counts(row);
    words(".");
  }

  /** Such as: 312 allocations instead of 100. */
  private void counts(DiffRows.Row row) {
    Held before = row.before();
    Held after = row.after();
    if (before != null && after != null) {
      words(
          FORMAT.counted(after.count(), "allocation")
              + (before.count() == after.count()
                  ? " in both, of other sizes"
                  : " instead of " + FORMAT.count(before.count())));
    } else if (after != null) {
      words(FORMAT.counted(after.count(), "allocation") + " instead of none");
    } else if (before != null) {
      words("no allocation instead of " + FORMAT.count(before.count()));
    }
  }

  private void name(DiffRows.Row row) {
    ComparedDevice side = row.after() != null ? comparison.b() : comparison.a();
    Held held = row.after() != null ? row.after() : row.before();
    if (held == null) {
      return;
    }
    FrameView frame = side.frame(held);
    parts.add(new Part(text(frame, held), null, side.site(held), null, frame != null));
  }

  private static String text(@Nullable FrameView frame, Held held) {
    if (frame == null) {
      return held.isBeforeRecording()
          ? "memory from before the first event"
          : "allocations without a stack";
    }
    String file = FORMAT.fileName(frame.file());
    return FORMAT.elided(frame.name(), NAME)
        + (file.isEmpty() || file.equals("??")
            ? ""
            : " " + FORMAT.elided(file, NAME) + (frame.line() > 0 ? ":" + frame.line() : ""));
  }

  private void words(String text) {
    parts.add(new Part(text, null, null, null, /* isCode= */ false));
  }

  private void bytes(long bytes) {
    parts.add(new Part(FORMAT.bytes(bytes), bytes, null, null, /* isCode= */ false));
  }
}
