package dev.vramscope.budget;

import static dev.vramscope.analysis.uses.TrainingTrace.FORWARD;
import static dev.vramscope.analysis.uses.TrainingTrace.INIT;
import static dev.vramscope.analysis.uses.TrainingTrace.MAIN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.analysis.uses.Use;
import dev.vramscope.budget.Budget.Part;
import dev.vramscope.budget.Budget.SiteBytes;
import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.Frame;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.PoolKind;
import dev.vramscope.model.Segment;
import dev.vramscope.model.StackTable;
import java.util.List;
import org.junit.jupiter.api.Test;

class LiveUsesTest {
  private final TrainingBudget trace = new TrainingBudget();

  private static Frame layer(int line) {
    return new Frame("forward", "/home/me/model.py", line);
  }

  private static Segment segment(Block... blocks) {
    long bytes = List.of(blocks).stream().mapToLong(Block::bytes).sum();
    return new Segment(
        blocks[0].address(),
        bytes,
        0,
        PoolKind.LARGE,
        PoolId.DEFAULT,
        false,
        StackTable.NONE,
        List.of(blocks));
  }

  private Part part(Use use) {
    return trace.budget().part(use).orElseThrow();
  }

  @Test
  void partsAreInTheOrderOfUsesWithoutEmptyOnes() {
    trace.allocate("no stack", 5);
    trace.allocate("activation", 7, FORWARD, MAIN);
    trace.allocate("freed", 100, FORWARD, MAIN);
    trace.allocate("weight", 11, INIT, MAIN);
    trace.free("freed");
    Budget budget = trace.budget();
    assertThat(budget.parts())
        .extracting(Part::use)
        .containsExactly(Use.PARAMETERS, Use.ACTIVATIONS, Use.NO_STACK);
    assertThat(budget.parts()).extracting(Part::bytes).containsExactly(11L, 7L, 5L);
    assertThat(budget.bytes(Use.GRADIENTS)).isZero();
    assertThat(budget.part(Use.GRADIENTS)).isEmpty();
  }

  @Test
  void largestThreePlacesAreListed() {
    int[] stacks = new int[6];
    for (int line = 1; line <= 5; line++) {
      stacks[line] = trace.stack(layer(line), MAIN);
      trace.allocate("a" + line, 10L * line, layer(line), MAIN);
    }
    trace.allocate("more", 35, layer(2), MAIN);
    Part part = part(Use.ACTIVATIONS);
    assertThat(part.sites())
        .containsExactly(
            new SiteBytes(stacks[2], false, false, 55, 2),
            new SiteBytes(stacks[5], false, false, 50, 1),
            new SiteBytes(stacks[4], false, false, 40, 1));
    assertThat(part.siteCount()).isEqualTo(5);
    assertThat(part.count()).isEqualTo(6);
    assertThat(part.bytes()).isEqualTo(10 + 20 + 30 + 40 + 50 + 35);
  }

  @Test
  void placeIsThatOfTheUsersCodeWithTheStackOfItsLargestBlock() {
    Frame conv = new Frame("conv2d", "/x/site-packages/torch/nn/functional.py", 9);
    Frame linear = new Frame("linear", "/x/site-packages/torch/nn/functional.py", 5);
    trace.allocate("small", 10, conv, FORWARD, MAIN);
    trace.allocate("large", 20, linear, FORWARD, MAIN);
    trace.allocate("medium", 15, conv, FORWARD, MAIN);
    assertThat(part(Use.ACTIVATIONS).sites())
        .containsExactly(new SiteBytes(trace.stack(linear, FORWARD, MAIN), false, false, 45, 3));
  }

  @Test
  void memoryWithoutStackIsDividedByWhetherItIsOlderThanTheRecording() {
    int event = trace.allocate("in the recording", 5);
    trace.freeEarlier(7);
    Part part = trace.budgetAfter(event).part(Use.NO_STACK).orElseThrow();
    assertThat(part.sites())
        .containsExactly(
            new SiteBytes(StackTable.NONE, true, false, 7, 1),
            new SiteBytes(StackTable.NONE, false, false, 5, 1));
  }

  @Test
  void useIsEstimatedUnlessAllIsDeclared() {
    trace.declare("declared", 5, "activation", FORWARD, MAIN);
    trace.declare("weight", 5, "parameter", MAIN);
    trace.allocate("estimated", 5, FORWARD, MAIN);
    trace.allocate("batch", 5, MAIN);
    trace.allocate("no stack", 6);
    assertThat(part(Use.ACTIVATIONS).isEstimated()).isTrue();
    assertThat(part(Use.PARAMETERS).isEstimated()).isFalse();
    assertThat(part(Use.OTHER).isEstimated()).as("nothing identifies it").isFalse();
    assertThat(part(Use.NO_STACK).isEstimated()).as("nothing identifies it").isFalse();
  }

  @Test
  void blocksOfSegmentsHaveTheirOwnSizesAndTheUsesOfTheirAllocations() {
    int event = trace.allocate("weight", 500, INIT, MAIN);
    int stack = trace.stack(FORWARD, MAIN);
    long address = trace.address("weight");
    Budget budget =
        trace.budgetAfter(
            event,
            segment(
                new Block(address, 512, 500, BlockState.ALLOCATED, stack),
                new Block(address + 512, 1024, 1000, BlockState.PENDING_FREE, stack),
                new Block(address + 1536, 2048, Block.UNKNOWN, BlockState.INACTIVE, stack)));
    assertThat(budget.parts()).extracting(Part::use).containsExactly(Use.PARAMETERS);
    assertThat(budget.bytes(Use.PARAMETERS)).isEqualTo(500);
  }

  @Test
  void stackAloneTellsTheUseOfABlockWithoutAllocation() {
    int event = trace.allocate("weight", 500, INIT, MAIN);
    int stack = trace.stack(FORWARD, MAIN);
    Budget budget =
        trace.budgetAfter(
            event,
            segment(
                new Block(1 << 20, 512, 400, BlockState.ALLOCATED, stack),
                new Block((1 << 20) + 512, 1024, Block.UNKNOWN, BlockState.ALLOCATED, 0)));
    assertThat(budget.bytes(Use.ACTIVATIONS)).isEqualTo(400);
    assertThat(budget.bytes(Use.NO_STACK)).as("the size of the block").isEqualTo(1024);
    assertThat(budget.bytes(Use.PARAMETERS)).isZero();
  }

  @Test
  void memoryFromBeforeTheRecordingIsNoGradient() {
    trace.keepEarlier(4096, INIT, MAIN);
    int event = trace.allocate("activation", 500, FORWARD, MAIN);
    trace.freeEarlier(4096);
    Budget budget = trace.budgetAfter(event);
    assertThat(budget.bytes(Use.PARAMETERS)).isEqualTo(4096);
    assertThat(budget.bytes(Use.NO_STACK)).isEqualTo(4096);
    assertThat(budget.bytes(Use.GRADIENTS)).isZero();
  }
}
