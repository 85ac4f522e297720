package dev.vramscope.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ReceivingUploadsTest {
  private final AtomicLong nanos = new AtomicLong(1);
  private final ReceivingUploads uploads = new ReceivingUploads(4, 3, nanos::get);
  private final List<String> ended = new ArrayList<>();

  private ReceivingUploads.Place begin(String address, String name) {
    return uploads.begin(new UploadClient(address, () -> ended.add(name)));
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  @Test
  void oneAddressCannotUseAllPlaces() {
    for (int i = 0; i < 3; i++) {
      begin("a", "a" + i);
    }
    assertThatThrownBy(() -> begin("a", "a3"))
        .isInstanceOfSatisfying(
            IntakeBusyException.class, busy -> assertThat(busy.isShareUsed()).isTrue())
        .hasMessageContaining("3 uploads from this address");
    begin("b", "b");
    assertThatThrownBy(() -> begin("c", "c"))
        .isInstanceOfSatisfying(
            IntakeBusyException.class, busy -> assertThat(busy.isShareUsed()).isFalse())
        .hasMessageContaining("4 uploads are in progress");
    assertThat(ended).isEmpty();
  }

  @Test
  void longestStalledUploadIsDisplaced() {
    begin("b", "b").beginRead();
    pass(Duration.ofSeconds(1));
    begin("a", "a0").beginRead();
    pass(Duration.ofSeconds(1));
    begin("a", "a1").beginRead();
    begin("a", "a2");
    pass(ReceivingUploads.STALLED);

    begin("a", "a3");
    assertThat(ended).as("of the address whose share is used").containsExactly("a0");
    begin("c", "c");
    assertThat(ended).as("of all addresses").containsExactly("a0", "b");
  }

  @Test
  void uploadThatMakesProgressIsNotDisplaced() {
    for (int i = 0; i < 3; i++) {
      begin("a", "a" + i).beginRead();
    }
    ReceivingUploads.Place moving = begin("b", "moving");
    for (int i = 0; i < 10; i++) {
      moving.beginRead();
      pass(Duration.ofMillis(500));
      moving.endRead();
    }
    for (int i = 0; i < 3; i++) {
      begin("c", "c" + i);
    }
    assertThat(ended).containsExactlyInAnyOrder("a0", "a1", "a2");
    assertThatThrownBy(() -> begin("d", "d")).isInstanceOf(IntakeBusyException.class);
  }

  @Test
  void closedPlaceIsFree() {
    for (int i = 0; i < 20; i++) {
      begin("a", "a").close();
    }
    assertThat(ended).isEmpty();
  }
}
