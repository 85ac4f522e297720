package dev.vramscope.explain.host;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Who held the memory of a node, by the table that Ray writes. */
class RayTopProcessesTest {
  private static final String HEAD = "Top 10 memory users:\nPID\tMEM(GB)\tCOMMAND\n";

  @Test
  void processesOfOneCommandAreSummed() {
    String table =
        HEAD
            + """
            11\t30.50\tray::Loader.fetch
            12\t29.00\tray::Loader.fetch
            13\t4.00\tpython train.py
            Refer to the documentation
            14\t99.00\tnot of the table
            """;
    assertThat(RayTopProcesses.of(table).most(100L << 30))
        .contains("Most of it was held by 2 processes of ray::Loader.fetch: 59.5 GiB (11, 12).");
  }

  @Test
  void nobodyIsNamedWhoHoldsLessThanHalf() {
    String table = HEAD + "11\t30.50\tray::Loader.fetch\n13\t4.00\tpython train.py\n";
    assertThat(RayTopProcesses.of(table).most(100L << 30)).isEmpty();
    assertThat(RayTopProcesses.of("PID MEM(GB) COMMAND").most(0)).isEmpty();
    assertThat(RayTopProcesses.of("").bytes()).isZero();
  }
}
