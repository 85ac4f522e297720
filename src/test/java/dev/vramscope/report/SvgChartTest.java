package dev.vramscope.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.report.Report.Chart;
import java.util.List;
import org.junit.jupiter.api.Test;

class SvgChartTest {
  private static String svg(List<Long> active, List<Long> reserved, Double... marks) {
    return SvgChart.of(new Chart("Bytes", active, reserved, List.of(marks)));
  }

  @Test
  void eachRangeIsAStepToScale() {
    assertThat(svg(List.of(0L, 100L, 50L, 25L), List.of()))
        .contains(
            "<path class=\"active\" d=\"M0,220"
                + "L0.0,220.0 L250.0,220.0 L250.0,0.0 L500.0,0.0 "
                + "L500.0,110.0 L750.0,110.0 L750.0,165.0 L1000.0,165.0 "
                + "L1000,220 Z\"/>");
  }

  @Test
  void reservedBytesAreALineAboveTheActiveOnes() {
    String svg = svg(List.of(50L, 50L), List.of(100L, 200L));
    assertThat(svg)
        .contains(
            "<path class=\"reserved\" d=\"M0.0,110.0 L500.0,110.0 L500.0,0.0 L1000.0,0.0 \"/>")
        .contains("L0.0,165.0 L500.0,165.0")
        .contains("<p class=\"note\">Bytes; the line is reserved bytes</p>");
    assertThat(svg(List.of(50L, 50L), List.of())).doesNotContain("reserved");
  }

  @Test
  void failedRequestsAreMarkedWhereTheyWere() {
    assertThat(svg(List.of(1L, 1L), List.of(), 0.25, 1.0))
        .contains("<line class=\"failure\" x1=\"250.0\" x2=\"250.0\" y1=\"0\" y2=\"220\"/>")
        .contains("<line class=\"failure\" x1=\"1000.0\" x2=\"1000.0\" y1=\"0\" y2=\"220\"/>")
        .contains("Bytes; a vertical line is a failed request</p>")
        .contains("aria-label=\"Bytes: at most 1 B active, 2 requests failed\"");
  }

  @Test
  void axisHasTheQuartersOfTheHighest() {
    assertThat(svg(List.of(4096L), List.of(1024L)))
        .contains("<span>4 KiB</span><span>3 KiB</span><span>2 KiB</span><span>1 KiB</span></div>")
        .contains("x2=\"1000\" y1=\"165.0\" y2=\"165.0\"")
        .contains("x2=\"1000\" y1=\"0.0\" y2=\"0.0\"");
  }

  @Test
  void axisOfTheLargestNumbersIsPositive() {
    assertThat(svg(List.of(4L << 60), List.of()))
        .contains("<span>4 EiB</span><span>3 EiB</span><span>2 EiB</span><span>1 EiB</span>");
  }

  @Test
  void nothingIsDrawnOnTheGround() {
    assertThat(svg(List.of(0L, 0L), List.of()))
        .contains("L0.0,220.0 L500.0,220.0 L500.0,220.0 L1000.0,220.0 ")
        .doesNotContain("NaN", "Infinity");
  }
}
