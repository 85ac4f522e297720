package dev.vramscope.web;

import dev.vramscope.analysis.diff.DiffRows;
import dev.vramscope.analysis.diff.DiffRows.Held;
import dev.vramscope.analysis.diff.MemoryDiff;
import dev.vramscope.web.ShownSentence.Part;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The answer of a comparison in one sentence: how much more, and which site most of it is. */
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
    List<DiffRows.Row> rows = memory.sites().largest();
    if (rows.isEmpty()) {
      answer.words(memory.differenceBytes() == 0 ? ", at the same sites." : ".");
    } else {
      answer.site(rows.getFirst(), memory.differenceBytes());
    }
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
    words(isSame ? capitalized(b.moment().text()) + ", the program holds " : "B holds ");
    bytes(Math.abs(difference));
    words(difference > 0 ? " more" : " less");
    if (!isSame) {
      words(" " + b.moment().text());
    }
    words(" than " + (areAlike ? "A" : first));
  }

  private void site(DiffRows.Row row, long total) {
    long part = row.differenceBytes();
    boolean isPartOfTotal =
        Long.signum(part) == Long.signum(total) && Math.abs(part) <= Math.abs(total);
    if (isPartOfTotal) {
      words("; ");
      if (part == total) {
        words("all");
      } else {
        bytes(Math.abs(part));
      }
      words(" of it is ");
      name(row);
      counts(row);
    } else {
      words(total == 0 ? ", but not at the same sites: " : ": ");
      name(row);
      words(" holds ");
      bytes(Math.abs(part));
      words(part > 0 ? " more" : " less");
      counts(row);
      words(", and all other sites together ");
      bytes(Math.abs(total - part));
      words(total > part ? " more" : " less");
    }
    words(".");
  }

  /** Such as: , with 312 allocations instead of 100. */
  private void counts(DiffRows.Row row) {
    Held before = row.before();
    Held after = row.after();
    if (before != null && after != null) {
      words(
          before.count() == after.count()
              ? ", with " + FORMAT.counted(after.count(), "allocation") + " in both, of other sizes"
              : ", with "
                  + FORMAT.counted(after.count(), "allocation")
                  + " instead of "
                  + FORMAT.count(before.count()));
    } else if (after != null) {
      words(", with " + FORMAT.counted(after.count(), "allocation") + " instead of none");
    } else if (before != null) {
      words(", with no allocation instead of " + FORMAT.count(before.count()));
    }
  }

  private void name(DiffRows.Row row) {
    ComparedDevice side = row.after() != null ? comparison.b() : comparison.a();
    Held held = row.after() != null ? row.after() : row.before();
    if (held == null) {
      return;
    }
    LoadedSnapshot.FrameView frame = side.frame(held);
    parts.add(new Part(text(frame, held), null, side.site(held), null, frame != null));
  }

  private static String text(LoadedSnapshot.@Nullable FrameView frame, Held held) {
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

  private static String capitalized(String text) {
    return Character.toUpperCase(text.charAt(0)) + text.substring(1);
  }

  private void words(String text) {
    parts.add(new Part(text, null, null, null, false));
  }

  private void bytes(long bytes) {
    parts.add(new Part(FORMAT.bytes(bytes), bytes, null, null, false));
  }
}
