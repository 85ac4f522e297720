package dev.vramscope.postmortem;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.vramscope.model.PoolId;
import dev.vramscope.model.PoolKind;
import org.junit.jupiter.api.Test;

class RefusalTest {
  @Test
  void publishedIdsAreStable() {
    assertEquals("too-small", new Refusal.TooSmall(1).id());
    assertEquals("expandable-tail", new Refusal.ExpandableTail(1).id());
    assertEquals("oversize-rule", new Refusal.OversizeRule(1).id());
    assertEquals("other-stream", new Refusal.OtherStream(1).id());
    assertEquals("other-kind", new Refusal.OtherKind(PoolKind.SMALL).id());
    assertEquals("other-pool", new Refusal.OtherPool(new PoolId(0, 1)).id());
    assertEquals("waiting-for-stream", new Refusal.WaitingForStream().id());
    assertEquals("unexplained", new Refusal.Unexplained().id());
  }
}
