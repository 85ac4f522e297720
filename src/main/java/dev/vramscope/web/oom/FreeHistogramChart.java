package dev.vramscope.web.oom;

import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.postmortem.frees.FreeHistogram;
import dev.vramscope.postmortem.frees.FreeHistogram.Place;
import dev.vramscope.postmortem.frees.FreeHistogram.SizeClass;
import dev.vramscope.postmortem.frees.FreeHistogram.Sum;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The histogram of free blocks as rows, the largest blocks first, each a bar of the bytes by place.
 * The request is a line between two rows.
 *
 * @param above the classes whose blocks are large enough
 * @param below the classes whose blocks are too small
 * @param places the places that occur, for the legend
 * @param hasStreams whether the allocator keeps free memory for one stream
 */
record FreeHistogramChart(
    long requestBytes,
    List<Row> above,
    List<Row> below,
    List<PlaceSum> places,
    boolean hasStreams) {

  /** A size class. */
  record Row(SizeClass sizes, Sum total, List<Bar> bars) {}

  /** The bytes of a class in one place, in percent of the widest row. */
  record Bar(Place place, Sum sum, double percent, double widthPercent) {}

  /** All bytes in one place. */
  record PlaceSum(Place place, Sum sum) {}

  static FreeHistogramChart of(FreeHistogram histogram, AllocatorFamily family) {
    long widest =
        histogram.classes().stream().mapToLong(each -> each.total().bytes()).max().orElse(0);
    List<PlaceSum> places = new ArrayList<>();
    for (Place place : Place.values()) {
      long count = 0;
      long bytes = 0;
      for (SizeClass sizes : histogram.classes()) {
        count += sizes.sum(place).count();
        bytes += sizes.sum(place).bytes();
      }
      if (count > 0) {
        places.add(new PlaceSum(place, new Sum(count, bytes)));
      }
    }
    return new FreeHistogramChart(
        histogram.requestBytes(),
        rows(histogram.largeEnough(), widest),
        rows(histogram.tooSmall(), widest),
        places,
        family.isCaching());
  }

  private static List<Row> rows(List<SizeClass> classes, long widest) {
    return classes.stream()
        .filter(sizes -> sizes.total().count() > 0)
        .sorted(Comparator.comparingLong(SizeClass::fromBytes).reversed())
        .map(sizes -> row(sizes, widest))
        .toList();
  }

  private static Row row(SizeClass sizes, long widest) {
    List<Bar> bars = new ArrayList<>();
    long start = 0;
    for (Place place : Place.values()) {
      Sum sum = sizes.sum(place);
      if (sum.bytes() > 0) {
        bars.add(new Bar(place, sum, 100.0 * start / widest, 100.0 * sum.bytes() / widest));
        start += sum.bytes();
      }
    }
    return new Row(sizes, sizes.total(), bars);
  }

  /** The name of a place on the page. */
  public String label(Place place) {
    return switch (place) {
      case USABLE ->
          hasStreams ? "in the pool and on the stream of the request" : "usable for the request";
      case OTHER_STREAM -> "on another stream";
      case OTHER_POOL -> "in another pool";
      case PENDING -> "waiting for a stream";
    };
  }
}
