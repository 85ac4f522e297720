package dev.vramscope.explain;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds the messages of failed requests in a text, in time proportional to its length. */
public final class LogReader {
  /** The most messages that are returned; more processes than that fail in no log. */
  public static final int MAX_FINDINGS = 200;

  /** No message is longer, and no part of one is further from the part before. */
  private static final int REACH = 4000;

  /** A form whose start includes that of another is before it. */
  private static final List<MessageForm> FORMS =
      Stream.of(LibraryForms.ALL, XlaForms.ALL, TorchForms.ALL).flatMap(List::stream).toList();

  /** The place of a message: its start, the end of the start, and its last part. */
  private static final class Place {
    private final MessageForm form;
    private final int start;
    private final int end;
    private int last;

    private Place(MessageForm form, int start, int end) {
      this.form = form;
      this.start = start;
      this.end = end;
      this.last = end;
    }
  }

  private LogReader() {}

  /** The messages, in the order of their first lines; equal ones once. */
  public static List<Finding> read(String text) {
    List<Finding> findings = new ArrayList<>();
    for (LogStream stream : LogText.streams(text)) {
      read(stream, findings);
    }
    ProfilerTimeline.read(text).ifPresent(finding -> add(findings, finding));
    SmiFindings.read(text).forEach(finding -> add(findings, finding));
    return findings.stream().sorted(Comparator.comparingInt(Finding::line)).toList();
  }

  private static void read(LogStream stream, List<Finding> findings) {
    String text = stream.text();
    List<Place> places = new ArrayList<>();
    for (MessageForm form : FORMS) {
      places.addAll(places(form, text));
    }
    // The sort is stable: of two that start at once, the first form has it.
    places.sort(Comparator.comparingInt(place -> place.start));
    List<Place> kept = new ArrayList<>();
    int covered = 0;
    for (Place place : places) {
      if (place.start >= covered) {
        kept.add(place);
        covered = place.end;
      }
    }
    for (int i = 0; i < kept.size(); i++) {
      Place place = kept.get(i);
      int next = i + 1;
      while (next < kept.size() && kept.get(next).start < place.last) {
        next++;
      }
      int limit = next < kept.size() ? kept.get(next).start : text.length();
      int end = Math.min(limit, place.last + REACH);
      add(
          findings,
          new Finding(
              place.form.kind(),
              stream.line(place.start),
              1,
              place.form.fields(text, place.start, end),
              stream.writer()));
    }
  }

  /** The messages of one form: parts within reach of the part before belong to its message. */
  private static List<Place> places(MessageForm form, String text) {
    List<Place> places = new ArrayList<>();
    Matcher start = matcher(form.start(), text);
    Matcher part = matcher(form.part(), text);
    for (Candidates.Region region : Candidates.regions(text, form.anchors())) {
      start.region(region.from(), region.to());
      part.region(region.from(), region.to());
      addPlaces(form, start, part, places);
    }
    return places;
  }

  /** A matcher of regions that looks at the characters around them. */
  private static Matcher matcher(Pattern pattern, String text) {
    return pattern.matcher(text).useTransparentBounds(true).useAnchoringBounds(false);
  }

  private static void addPlaces(MessageForm form, Matcher start, Matcher part, List<Place> places) {
    boolean isStart = start.find();
    boolean isPart = part.find();
    while ((isStart || isPart) && places.size() < MAX_FINDINGS) {
      Place last = places.isEmpty() ? null : places.getLast();
      if (isStart && (!isPart || start.start() <= part.start())) {
        places.add(new Place(form, start.start(), start.end()));
        isStart = start.find();
      } else {
        if (last != null && part.start() - last.last <= REACH) {
          last.last = Math.max(last.last, part.end());
        } else {
          places.add(new Place(form, part.start(), part.end()));
        }
        isPart = part.find();
      }
    }
  }

  private static void add(List<Finding> findings, Finding finding) {
    for (int i = 0; i < findings.size(); i++) {
      Finding same = findings.get(i);
      if (same.says(finding)) {
        findings.set(
            i,
            new Finding(
                same.kind(),
                Math.min(same.line(), finding.line()),
                same.times() + finding.times(),
                same.fields(),
                same.process()));
        return;
      }
    }
    if (findings.size() < MAX_FINDINGS) {
      findings.add(finding);
    }
  }
}
