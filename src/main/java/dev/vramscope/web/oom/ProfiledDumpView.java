package dev.vramscope.web.oom;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.vramscope.analysis.ledger.ProfileMatch;
import dev.vramscope.analysis.ledger.ProfileMatch.Compared;
import dev.vramscope.analysis.series.CodePlace;
import dev.vramscope.model.Certainty;
import dev.vramscope.web.display.DisplayFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a device memory profile adds to a dump, on its page and in JSON.
 *
 * @param profile the id of the profile
 * @param device the number of the device in the profile
 * @param difference why it is not of this moment; null if it may be
 * @param certainty whether it is; null if it is not
 * @param namedBytes of the chunks that hold its arrays
 * @param inUseBytes of all chunks in use
 * @param basis what was compared, in sentences
 * @param sites lines of code, the most bytes first; empty if the profile does not fit
 * @param sizes arrays and chunks by the size of the chunk, the most bytes first
 * @param siteCount all of the sites; the list has at most 50
 * @param sizeCount all of the sizes; the list has at most 50
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record ProfiledDumpView(
    String profile,
    String name,
    int device,
    @Nullable String difference,
    @Nullable Certainty certainty,
    long namedBytes,
    long inUseBytes,
    List<String> basis,
    List<Site> sites,
    List<ProfileMatch.Size> sizes,
    int siteCount,
    int sizeCount) {
  private static final DisplayFormat FORMAT = new DisplayFormat();
  private static final int MOST_ROWS = 50;

  /**
   * A line of code.
   *
   * @param function empty if arrays have no stack, or for all lines that are not told apart
   * @param line 0 if it is unknown
   * @param bytes of its arrays, as the program sees them
   */
  record Site(String function, String file, int line, String text, long arrays, long bytes) {}

  static ProfiledDumpView of(ProfiledDump dump) {
    List<Site> sites =
        dump.sites().places().entrySet().stream()
            .map(entry -> site(entry.getKey(), entry.getValue().count(), entry.getValue().bytes()))
            .toList();
    return switch (dump.compared()) {
      case Compared.Differs(String what) ->
          new ProfiledDumpView(
              dump.profile().id(),
              dump.profile().name(),
              dump.device(),
              what,
              null,
              0,
              0,
              List.of(),
              List.of(),
              List.of(),
              0,
              0);
      case Compared.Fits(ProfileMatch match) ->
          new ProfiledDumpView(
              dump.profile().id(),
              dump.profile().name(),
              dump.device(),
              null,
              match.certainty(),
              match.chunkBytes(),
              match.inUseBytes(),
              basis(match, dump.tagText()),
              sites.stream().limit(MOST_ROWS).toList(),
              match.sizes().stream().limit(MOST_ROWS).toList(),
              sites.size(),
              match.sizes().size());
    };
  }

  private static Site site(CodePlace place, long count, long bytes) {
    String text =
        place.isKnown()
            ? place.function() + " " + fileName(place) + ":" + place.line()
            : place.equals(CodePlace.UNKNOWN) ? "without a stack" : "all other lines";
    return new Site(place.function(), place.file(), Math.max(0, place.line()), text, count, bytes);
  }

  private static String fileName(CodePlace place) {
    return place.file().substring(place.file().lastIndexOf('/') + 1);
  }

  /** What agrees, what the sums say, and what cannot be excluded. */
  private static List<String> basis(ProfileMatch match, String tagText) {
    List<String> basis = new ArrayList<>();
    basis.add(
        (match.arrayCount() == 1
                ? "The only array of the profile has a chunk in use of its size"
                : "Each of the "
                    + FORMAT.count(match.arrayCount())
                    + " arrays of the profile has a chunk in use of its size")
            + ", in whole units of 256 bytes"
            + (match.largerCount() == 0
                ? "."
                : "; "
                    + FORMAT.count(match.largerCount())
                    + " of them only a larger one, the rest of which the allocator would not have"
                    + " split off."));
    basis.add(
        "The arrays have "
            + FORMAT.bytes(match.arrayBytes())
            + ", their chunks "
            + FORMAT.bytes(match.chunkBytes())
            + "; "
            + (match.isWhole()
                ? "no chunk in use is left without an array."
                : FORMAT.counted(match.chunkCount() - match.arrayCount(), "chunk")
                    + " in use with "
                    + FORMAT.bytes(match.inUseBytes() - match.chunkBytes())
                    + " hold something else: arrays that were allocated after the profile was"
                    + " saved, memory of a program that ran, or constants of compiled programs."));
    basis.addAll(open(match, tagText));
    return basis;
  }

  private static List<String> open(ProfileMatch match, String tagText) {
    long ambiguous =
        match.sizes().stream()
            .filter(size -> !size.isWhole())
            .mapToLong(ProfileMatch.Size::arrays)
            .sum();
    return Stream.of(
            ambiguous == 0
                ? "Of each of these sizes there are as many chunks in use as arrays. Which of them"
                    + " holds which array is not known, because a profile has no addresses."
                : FORMAT.counted(ambiguous, "array")
                    + (ambiguous == 1 ? " has" : " have")
                    + " a size of which more chunks are in use: which of these are meant is not"
                    + " known, because a profile has no addresses.",
            "Another array of the same size may have taken the place of one that was freed after"
                + " the profile was saved, and another run of the same program has the same sizes: "
                + tagText
                + ".")
        .toList();
  }
}
