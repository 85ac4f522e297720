package dev.vramscope.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.vramscope.TestData;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Golden cases of PyTorch's caching allocator. */
class GoldenCachingTest {
  @TestFactory
  Stream<DynamicTest> recordsMatchThoseOfPytorch() throws IOException {
    List<GoldenCase> cases = GoldenCase.below(TestData.folder("golden/caching"));
    assertThat(cases).hasSizeGreaterThan(100);
    return cases.stream()
        .map(
            golden ->
                DynamicTest.dynamicTest(
                    golden.folder().getFileName().toString(),
                    () -> assertEquals(Optional.empty(), golden.firstDifference())));
  }
}
