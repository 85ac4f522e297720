package dev.vramscope.explain.xla;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.explain.LogExplanation;
import dev.vramscope.model.ByteText;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What a pool has acquired, what of it is in use, and what its limit allows are told apart. */
class BfcPoolTest {
  private static final long MIB = 1 << 20;

  private static String said(long limit, long pool, long available, long inUse, long request) {
    String text =
        String.format(
            "Allocator (GPU_0_bfc) ran out of memory trying to allocate 1.00MiB (rounded to"
                + " %d)requested by op\nTotal bytes in pool: %d memory_limit_: %d available bytes:"
                + " %d curr_region_allocation_bytes_: 5\nStats: \nLimit: %d\nInUse: %d\n",
            request, pool, limit, available, limit, inUse);
    return LogExplanation.of(text).conclusions().getFirst().statements().stream()
        .map(each -> each.certainty() + ": " + each.text())
        .collect(Collectors.joining("\n"));
  }

  @Test
  void aPoolBelowItsLimit() {
    String sizes =
        "CERTAIN: 254 MiB of the 256 MiB that the pool has acquired are in use; 2 MiB are not, and"
            + " the limit of 4 GiB allows 3.75 GiB more";
    assertThat(said(4096 * MIB, 256 * MIB, 3840 * MIB, 254 * MIB, 200 * MIB))
        .contains(sizes + ": more than the request.", "the driver had no such piece");
    assertThat(said(4096 * MIB, 256 * MIB, 3840 * MIB, 254 * MIB, 4000 * MIB))
        .contains(sizes + ", 158 MiB too little for the request.", "Too much live memory");
    assertThat(said(256 * MIB, 256 * MIB, 0, 254 * MIB, 200 * MIB))
        .contains("CERTAIN: 254 MiB of the limit of 256 MiB are in use; 2 MiB are not");
  }

  @Test
  void anotherLimitThanThatOfTheTextsDifference() {
    assertThat(said(4096 * MIB, 256 * MIB, 0, 254 * MIB, 200 * MIB))
        .startsWith(
            "CERTAIN: The numbers contradict each other: with a pool of 256 MiB, the limit of 4 GiB"
                + " allows 3.75 GiB more, but the text says 0 B.")
        .doesNotContain("are not", "too little");
    assertThat(said(4096 * MIB, 256 * MIB, 3840 * MIB, 300 * MIB, 200 * MIB))
        .startsWith("CERTAIN: The numbers contradict each other: 300 MiB in use are more than the");
  }

  @Test
  void whatIsInUseAndWhatIsNotAddUp() {
    SplittableRandom random = new SplittableRandom(3);
    for (int round = 0; round < 300; round++) {
      long limit = random.nextLong(2, 4096) * MIB;
      long pool = random.nextLong(1, limit / MIB + 1) * MIB;
      long inUse = random.nextLong(1, pool / MIB + 1) * MIB;
      long request = random.nextLong(1, limit / MIB + 1) * MIB;
      String said = said(limit, pool, limit - pool, inUse, request);
      String of = pool < limit ? "the " + ByteText.of(pool) + " that the pool" : "the limit of ";
      assertThat(said)
          .as("%d %d %d %d", limit, pool, inUse, request)
          .contains(ByteText.of(inUse) + " of " + of, ByteText.of(pool - inUse) + " are not");
      if (pool < limit) {
        assertThat(said)
            .contains(
                "limit of "
                    + ByteText.of(limit)
                    + " allows "
                    + ByteText.of(limit - pool)
                    + " more");
      }
      assertThat(said.contains("too little for the request")).isEqualTo(request > limit - inUse);
    }
  }
}
