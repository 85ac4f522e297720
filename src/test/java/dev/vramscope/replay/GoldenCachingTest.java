package dev.vramscope.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.vramscope.SharedFolder;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Everything PyTorch's allocator did with these traces, we do. */
class GoldenCachingTest {
  @TestFactory
  Stream<DynamicTest> behavesAsTheOriginal() throws IOException {
    List<GoldenCase> cases = GoldenCase.below(SharedFolder.require("golden/caching"));
    assertThat(cases).hasSizeGreaterThan(100);
    return cases.stream()
        .map(
            golden ->
                DynamicTest.dynamicTest(
                    golden.folder().getFileName().toString(),
                    () -> assertEquals(Optional.empty(), golden.firstDifference())));
  }
}
