package dev.vramscope.web.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vramscope.web.problem.RefusedRequestException;
import java.util.List;
import org.junit.jupiter.api.Test;

class SliceTest {
  private static final List<String> ROWS = List.of("a", "b", "c", "d", "e");

  @Test
  void firstPartHasNoneBeforeIt() {
    Slice<String> slice = Slice.of(ROWS, 0, 2);
    assertThat(slice).isEqualTo(new Slice<>(List.of("a", "b"), 0, 2, 5));
    assertThat(slice.previous()).isNull();
    assertThat(slice.next()).isEqualTo(2);
    assertThat(slice.isPart()).isTrue();
  }

  @Test
  void lastPartHasNoneAfterIt() {
    Slice<String> slice = Slice.of(ROWS, 4, 2);
    assertThat(slice.rows()).containsExactly("e");
    assertThat(slice.previous()).isEqualTo(2);
    assertThat(slice.next()).isNull();
    assertThat(slice.first()).isEqualTo(5);
    assertThat(slice.last()).isEqualTo(5);
  }

  @Test
  void partBetweenTwoPagesCanBeRequested() {
    Slice<String> slice = Slice.of(ROWS, 1, 2);
    assertThat(slice.previous()).isZero();
    assertThat(slice.next()).isEqualTo(3);
  }

  @Test
  void offsetPastTheEndIsTheLastPart() {
    assertThat(Slice.offsetIn(5, 5, 2)).isEqualTo(4);
    assertThat(Slice.offsetIn(4, 99, 2)).isEqualTo(2);
    assertThat(Slice.offsetIn(0, 99, 2)).isZero();
    assertThat(Slice.of(ROWS, 99, 2)).isEqualTo(Slice.of(ROWS, 4, 2));
  }

  @Test
  void rejectsANegativeOffset() {
    assertThatThrownBy(() -> Slice.of(ROWS, -1, 2))
        .isInstanceOf(RefusedRequestException.class)
        .hasMessageContaining("offset is -1");
  }

  @Test
  void aPartWithoutRowsBeginsInTheList() {
    assertThat(Slice.offsetIn(5, 9, 0)).isZero();
    assertThat(Slice.offsetIn(0, 0, 0)).isZero();
  }
}
