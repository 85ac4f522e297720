package dev.vramscope.live.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class WorkloadStateTest {
  @Test
  void publishedIdsAreStable() {
    assertEquals("running", new WorkloadState.Running().id());
    assertEquals("done", new WorkloadState.Done().id());
    assertEquals("stopped", new WorkloadState.Stopped().id());
    assertEquals("failed", new WorkloadState.Failed("Step 1: …").id());
  }
}
