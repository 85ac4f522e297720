package dev.vramscope.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.model.Frame;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RecordedThreadTest {
  private static final HistorySettings STACKS =
      HistorySettings.all().withContexts(ContextKind.STACKS, 1);

  private final FrameTable frames = new FrameTable(1000);
  private final ContextTree tree = new ContextTree(1000);
  private final RecordedThread thread = new RecordedThread(frames, tree);

  @Test
  void nestedScopesFormAPath() {
    try (var _ = thread.open("forward");
        var _ = thread.open("layer 3")) {
      assertThat(names(thread.context(ContextKind.SCOPES))).containsExactly("layer 3", "forward");
    }
    assertThat(thread.context(ContextKind.SCOPES)).isEqualTo(ContextTree.NONE);
  }

  @Test
  void equalScopeNamesGiveTheSameContext() {
    List<Integer> contexts = new ArrayList<>();
    for (String name : List.of("step", "st".concat("ep"))) {
      try (var _ = thread.open(name)) {
        contexts.add(thread.context(ContextKind.SCOPES));
      }
    }
    assertThat(contexts).containsOnly(contexts.getFirst());
  }

  @Test
  void closingAScopeClosesTheScopesInside() {
    try (var _ = thread.open("outer")) {
      int context = thread.context(ContextKind.SCOPES);
      RecordedScope inner = thread.open("inner");
      RecordedScope innermost = thread.open("innermost");
      inner.close();
      assertThat(thread.context(ContextKind.SCOPES)).isEqualTo(context);
      innermost.close();
      assertThat(thread.context(ContextKind.SCOPES)).isEqualTo(context);
    }
  }

  @Test
  void scopesNestWithoutLimit() {
    List<RecordedScope> open = IntStream.range(0, 100).mapToObj(i -> thread.open("s" + i)).toList();

    assertThat(names(thread.context(ContextKind.SCOPES))).hasSize(100).startsWith("s99", "s98");
    open.getFirst().close();
    assertThat(thread.context(ContextKind.SCOPES)).isEqualTo(ContextTree.NONE);
  }

  @Test
  void stackStartsWithTheCallerAndIsCleared() {
    thread.captureStack(STACKS);
    int context = thread.context(ContextKind.STACKS);
    thread.clearStack();

    assertThat(names(context).getFirst())
        .isEqualTo(
            "dev.vramscope.recorder.RecordedThreadTest" + ".stackStartsWithTheCallerAndIsCleared");
    assertThat(frames.frame(tree.frame(context)).file()).isEqualTo("RecordedThreadTest.java");
    assertThat(frames.frame(tree.frame(context)).line()).isPositive();
    assertThat(thread.context(ContextKind.STACKS)).isEqualTo(ContextTree.NONE);
  }

  @Test
  void scopesAreAtTheRootOfCombinedContexts() {
    try (var _ = thread.open("forward")) {
      thread.captureStack(HistorySettings.all().withContexts(ContextKind.BOTH, 1));
      List<String> names = names(thread.context(ContextKind.BOTH));

      assertThat(names.getFirst()).contains("scopesAreAtTheRootOfCombinedContexts");
      assertThat(names.getLast()).isEqualTo("forward");
    }
  }

  @Test
  void stackIsCutAtTheOuterEnd() {
    thread.captureStack(STACKS.withMaxFrames(2));

    assertThat(names(thread.context(ContextKind.STACKS)))
        .hasSize(2)
        .first()
        .asString()
        .contains("stackIsCutAtTheOuterEnd");
  }

  // forward() and backward() call take() at the same bytecode index.
  private int forward() {
    return take();
  }

  private int backward() {
    return take();
  }

  private int take() {
    thread.captureStack(STACKS);
    return thread.context(ContextKind.STACKS);
  }

  @Test
  void distinguishesMethodsThatCallAtTheSameIndex() {
    for (int round = 0; round < 3; round++) {
      assertThat(names(forward()).get(1)).endsWith(".forward");
      assertThat(names(backward()).get(1)).endsWith(".backward");
    }
  }

  @Test
  void equalStacksShareOneContext() {
    List<Integer> contexts = new ArrayList<>();
    for (int round = 0; round < 5; round++) {
      contexts.add(take());
    }
    assertThat(contexts).containsOnly(contexts.getFirst());
  }

  @Test
  void lambdaAndReflectionFramesHaveNames() throws ReflectiveOperationException {
    Runnable lambda = () -> take();
    lambda.run();
    assertThat(names(thread.context(ContextKind.STACKS)).get(1)).contains("lambda$");

    RecordedThreadTest.class.getDeclaredMethod("forward").invoke(this);
    assertThat(names(thread.context(ContextKind.STACKS)).get(1)).endsWith(".forward");
  }

  @Test
  void everyNthCallCapturesItsStack() {
    List<Integer> stackCalls =
        IntStream.rangeClosed(1, 10).filter(_ -> thread.isStackCall(3)).boxed().toList();

    assertThat(stackCalls).containsExactly(3, 6, 9);
  }

  @Test
  void fullFrameTableDropsFramesAndCountsThem() {
    FrameTable small = new FrameTable(2);
    RecordedThread context = new RecordedThread(small, tree);

    context.captureStack(STACKS);

    assertThat(tree.parent(tree.parent(context.context(ContextKind.STACKS))))
        .isEqualTo(ContextTree.NONE);
    assertThat(small.droppedCount()).isPositive();
  }

  private List<String> names(int context) {
    List<String> names = new ArrayList<>();
    for (int node = context; node != ContextTree.NONE; node = tree.parent(node)) {
      Frame frame = frames.frame(tree.frame(node));
      names.add(frame.name());
    }
    return names;
  }
}
