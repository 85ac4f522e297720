package dev.vramscope.analysis.timeline;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.analysis.RandomTrace;
import dev.vramscope.analysis.stacks.StackSearch;
import dev.vramscope.analysis.timeline.SearchedMemory.Amount;
import dev.vramscope.model.Frame;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SearchedMemoryTest {
  private static final List<String> TEXTS = List.of("own3", "TORCH", "train.py:13", "f", "absent");

  @Test
  void amountsAreThoseOfASlowReplay() {
    for (long seed = 1; seed <= 20; seed++) {
      RandomTrace random = RandomTrace.of(seed, 300);
      for (String text : TEXTS) {
        compare(random, text, "seed " + seed + ", " + text);
      }
    }
  }

  private static void compare(RandomTrace random, String text, String failure) {
    StackTable stacks = random.stacks();
    Trace trace = random.device().trace();
    SearchedMemory memory = new SearchedMemory(random.lifetimes(), StackSearch.of(stacks, text));
    Map<Long, Long> live = new HashMap<>();
    BitSet sites = new BitSet();
    int count = 0;
    long bytes = 0;
    for (int event = 0; event < trace.size(); event++) {
      long address = trace.address(event);
      if (trace.action(event) == TraceAction.ALLOC && contains(stacks, trace.stack(event), text)) {
        live.put(address, trace.bytes(event));
        sites.set(stacks.frameNumber(random.classes().siteOf(trace.stack(event))));
        count++;
        bytes += trace.bytes(event);
      } else if (trace.action(event) == TraceAction.FREE_COMPLETED) {
        live.remove(address);
      }
      long sum = live.values().stream().mapToLong(each -> each).sum();
      assertThat(memory.at(event))
          .as("%s, event %s", failure, event)
          .isEqualTo(new Amount(live.size(), sum));
    }
    assertThat(memory.all()).as(failure).isEqualTo(new Amount(count, bytes));
    Map<Integer, Integer> found = memory.siteStacks(random.classes());
    assertThat(found.keySet()).as(failure).isEqualTo(sites.stream().boxed().collect(toSet()));
    assertThat(found.values())
        .as(failure)
        .allMatch(stack -> contains(stacks, stack, text))
        .allMatch(stack -> stack.equals(found.get(siteFrame(random, stack))));
  }

  private static int siteFrame(RandomTrace random, int stack) {
    return random.classes().stacks().frameNumber(random.classes().siteOf(stack));
  }

  private static boolean contains(StackTable stacks, int stack, String text) {
    for (int node = stack; node != StackTable.NONE; node = stacks.parent(node)) {
      Frame frame = stacks.frames().get(stacks.frameNumber(node));
      String all = frame.name() + "\n" + frame.file() + "\n" + frame.file() + ":" + frame.line();
      if (all.toLowerCase(Locale.ROOT).contains(text.toLowerCase(Locale.ROOT))) {
        return true;
      }
    }
    return false;
  }
}
