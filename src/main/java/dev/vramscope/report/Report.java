package dev.vramscope.report;

import dev.vramscope.model.ByteText;
import dev.vramscope.model.LongText;
import java.util.ArrayList;
import java.util.List;

/**
 * A document about one failure, or about a run without one. It is read by people: a text of a file
 * that is longer than anybody reads is {@link LongText#shortened shortened}.
 *
 * @param title the name of the file
 * @param facts the file in a few words: format, device, times
 * @param summary what happened, in a sentence or two
 * @param isFailure whether a request failed
 * @param sections in reading order
 */
public record Report(
    String title, List<String> facts, String summary, boolean isFailure, List<Section> sections) {
  /** The headings of what to do. */
  static final String MAY_HELP = "What may help";

  static final String NEXT = "What to collect next";

  public Report {
    title = LongText.shortened(title);
    facts = shortened(facts);
    summary = LongText.shortened(summary);
    sections = List.copyOf(sections);
  }

  /** This report, with a further fact about the file. */
  public Report withFact(String fact) {
    List<String> all = new ArrayList<>(facts);
    all.add(fact);
    return new Report(title, all, summary, isFailure, sections);
  }

  /** This report, followed by what another one says to do. */
  public Report withAdviceOf(Report other) {
    List<Section> all = new ArrayList<>(sections);
    for (String heading : List.of(MAY_HELP, NEXT)) {
      List<Part> parts =
          other.sections.stream()
              .filter(section -> section.title().equals(heading))
              .flatMap(section -> section.parts().stream())
              .distinct()
              .toList();
      if (!parts.isEmpty()) {
        all.add(new Section(heading, parts));
      }
    }
    return new Report(title, facts, summary, isFailure, all);
  }

  /**
   * A link of the page that shows a report, not of the document.
   *
   * @param address relative to the page
   */
  public record Link(String label, String address) {}

  /** A heading and what is below it. */
  public record Section(String title, List<Part> parts) {
    public Section {
      parts = List.copyOf(parts);
    }
  }

  private static List<String> shortened(List<String> texts) {
    return texts.stream().map(LongText::shortened).toList();
  }

  /** A piece of a section. */
  public sealed interface Part {}

  /** A paragraph. */
  public record Paragraph(String text) implements Part {
    public Paragraph {
      text = LongText.shortened(text);
    }
  }

  /** A paragraph of less weight: how a number was found, what it leaves out. */
  public record Note(String text) implements Part {
    public Note {
      text = LongText.shortened(text);
    }
  }

  /**
   * A statement with its certainty.
   *
   * @param label such as certain or likely
   */
  public record Claim(String label, String text) implements Part {
    public Claim {
      text = LongText.shortened(text);
    }
  }

  /**
   * Something to do.
   *
   * @param action in the imperative
   * @param proof what supports it; may be empty
   * @param code to copy; may be empty
   */
  public record Action(String action, String proof, String code) implements Part {
    public Action {
      action = LongText.shortened(action);
      proof = LongText.shortened(proof);
    }
  }

  /**
   * A table.
   *
   * @param columns the headings; those of numbers begin with {@code #}
   * @param rows as many cells as there are columns
   * @param hasTotal whether the last row is the sum of the others
   */
  public record Table(List<String> columns, List<List<String>> rows, boolean hasTotal)
      implements Part {
    public Table {
      columns = List.copyOf(columns);
      rows = rows.stream().map(Report::shortened).toList();
    }

    static Table of(List<String> columns, List<List<String>> rows) {
      return new Table(columns, rows, /* hasTotal= */ false);
    }

    /** A table whose last row is the sum of the others. */
    static Table withTotal(List<String> columns, List<List<String>> rows) {
      return new Table(columns, rows, /* hasTotal= */ true);
    }
  }

  /**
   * Parts of a whole, to scale.
   *
   * @param caption what the whole is
   */
  public record Bar(String caption, List<Slice> slices) implements Part {
    public Bar {
      slices = List.copyOf(slices);
    }
  }

  /**
   * One part of a bar.
   *
   * @param kind allocated, unallocated, private, temporary, outside, free or unknown
   */
  public record Slice(String kind, String label, long bytes) {
    public Slice {
      label = LongText.shortened(label);
    }
  }

  /**
   * Memory over the recording.
   *
   * @param caption what is drawn
   * @param active the highest active bytes in each of equal ranges of events
   * @param reserved the reserved bytes in each; empty if they are not known
   * @param marks positions of failed requests, from 0 to 1
   */
  public record Chart(String caption, List<Long> active, List<Long> reserved, List<Double> marks)
      implements Part {
    public Chart {
      active = List.copyOf(active);
      reserved = List.copyOf(reserved);
      marks = List.copyOf(marks);
    }

    /** The picture in words: {@code at most 3 GiB active and 4 GiB reserved}. */
    String numbers() {
      return "at most "
          + ByteText.of(highest(active))
          + " active"
          + (reserved.isEmpty() ? "" : " and " + ByteText.of(highest(reserved)) + " reserved")
          + (marks.isEmpty()
              ? ""
              : ", " + marks.size() + (marks.size() == 1 ? " request" : " requests") + " failed");
    }

    private static long highest(List<Long> values) {
      return values.stream().mapToLong(Long::longValue).max().orElse(0);
    }
  }
}
