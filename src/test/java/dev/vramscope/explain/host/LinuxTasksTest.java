package dev.vramscope.explain.host;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Who held the memory of a host, by the table that the Linux kernel writes. */
class LinuxTasksTest {
  @Test
  void processesOfOneCommandAreSummed() {
    String table =
        """
        [Tue 03:41:17] Tasks state (memory values in pages):
        [Tue 03:41:17] [  pid  ]   uid  tgid total_vm      rss pgtables_bytes swapents oom_score_adj name
        [Tue 03:41:17] [   1180]  1000  1180     1180     1129     69632        0           812 bash
        [Tue 03:41:17] [   1911]  1000  1911 37050333  5242880  40538112        0           812 python3
        [Tue 03:41:17] usb 1-1: new device
        [Tue 03:41:17] [   2140]  1000  2140 11490560  2621440  20099072        0          -998 python3
        [Tue 03:41:17] oom-kill:constraint=CONSTRAINT_MEMCG,task=python3,pid=1911,uid=1000
        """;
    assertThat(LinuxTasks.before(table, 99).most(40L << 30))
        .contains(
            "Most of it was held by 2 processes of python3: 30 GiB (1911, 2140); 1911 alone 20"
                + " GiB.");
    assertThat(LinuxTasks.before(table, 99).most(80L << 30)).isEmpty();
  }

  @Test
  void residentMemoryIsThatOfItsColumn() {
    String table =
        """
        [  pid  ]   uid  tgid total_vm      rss rss_anon rss_file rss_shmem pgtables_bytes swapents oom_score_adj name
        [    881]     0   881   904211   262144   260000     2144        0      3121152        0             0 java
        """;
    assertThat(LinuxTasks.before(table, 99).bytes()).isEqualTo(1L << 30);
  }

  @Test
  void theTableAboveTheLineCounts() {
    String text =
        """
        [ pid ] uid tgid total_vm rss swapents name
        [ 11] 0 11 1 100 0 loader
        killed 11
        [ pid ] uid tgid total_vm rss swapents name
        [ 22] 0 22 1 200 0 infer
        killed 22
        """;
    assertThat(LinuxTasks.before(text, 3).bytes()).isEqualTo(100 * 4096);
    assertThat(LinuxTasks.before(text, 6).bytes()).isEqualTo(200 * 4096);
  }

  @Test
  void textsWithoutATableHaveNoRows() {
    assertThat(LinuxTasks.before("", 99).bytes()).isZero();
    assertThat(LinuxTasks.before("[ pid ] uid tgid total_vm rss swapents name", 99).bytes())
        .isZero();
    assertThat(
            LinuxTasks.before(
                    "[ pid ] uid tgid total_vm rss swapents name\n"
                        + "[ 1] 1 1 1 99999999999999999999 1 x",
                    99)
                .bytes())
        .isZero();
  }
}
