package dev.vramscope.postmortem.cause;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.vramscope.model.PoolId;
import dev.vramscope.model.PoolKind;
import org.junit.jupiter.api.Test;

class RejectionTest {
  @Test
  void publishedIdsAreStable() {
    assertEquals("too-small", new Rejection.TooSmall(1).id());
    assertEquals("expandable-tail", new Rejection.ExpandableTail(1).id());
    assertEquals("oversize-rule", new Rejection.OversizeRule(1).id());
    assertEquals("other-stream", new Rejection.OtherStream(1).id());
    assertEquals("other-kind", new Rejection.OtherKind(PoolKind.SMALL).id());
    assertEquals("other-pool", new Rejection.OtherPool(new PoolId(0, 1)).id());
    assertEquals("pending-free", new Rejection.PendingFree().id());
    assertEquals("unexplained", new Rejection.Unexplained().id());
  }
}
