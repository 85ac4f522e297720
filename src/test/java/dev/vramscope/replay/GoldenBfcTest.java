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

/** Golden cases of XLA's BFC allocator. */
class GoldenBfcTest {
  @TestFactory
  Stream<DynamicTest> recordsMatchThoseOfXla() throws IOException {
    List<GoldenCase> cases = GoldenCase.below(TestData.folder("golden/bfc"));
    assertThat(cases).hasSizeGreaterThan(100);
    return cases.stream()
        .map(
            golden ->
                DynamicTest.dynamicTest(
                    golden.folder().getFileName().toString(),
                    () -> assertEquals(Optional.empty(), golden.firstDifference())));
  }
}
