package dev.vramscope.live;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class HostedStateTest {
  @Test
  void publishedIdsAreStable() {
    assertEquals("open", new HostedState.Open().id());
    assertEquals("closed", new HostedState.Closed().id());
    assertEquals("lost", new HostedState.Lost("ECC").id());
  }
}
