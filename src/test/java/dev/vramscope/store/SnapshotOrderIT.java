package dev.vramscope.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vramscope.model.Origin;
import dev.vramscope.model.Snapshot;
import dev.vramscope.store.listing.SnapshotFilter;
import dev.vramscope.store.listing.SnapshotOrder;
import dev.vramscope.store.listing.StoredSnapshot;
import dev.vramscope.store.listing.Tags;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SnapshotOrderIT {
  private static final List<String> PRODUCERS =
      List.of("JAX 0.4", "PyTorch", "PyTorch 2.5 or newer", "PyTorch 2.10");

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "JOB")
  void wholeListIsOrderedByTheKey(SnapshotOrder.Key key) throws Exception {
    try (StoreFixture fixture = new StoreFixture(folder)) {
      fill(fixture);
      for (boolean isReversed : List.of(false, true)) {
        SnapshotOrder order = new SnapshotOrder(key, isReversed);
        List<StoredSnapshot> all = find(fixture, order, 100, 0);
        List<StoredSnapshot> paged = new ArrayList<>(find(fixture, order, 4, 0));
        paged.addAll(find(fixture, order, 4, 4));
        paged.addAll(find(fixture, order, 4, 8));
        assertThat(paged).isEqualTo(all);
        List<Object> values = new ArrayList<>();
        all.forEach(each -> values.add(value(each, key)));
        List<Object> present = values.stream().filter(Objects::nonNull).toList();
        assertThat(new HashSet<>(present)).hasSizeGreaterThan(1);
        assertThat(values.subList(0, present.size())).as("unknown is last").isEqualTo(present);
        Comparator<Object> ascending = SnapshotOrderIT::compare;
        assertThat(present)
            .isSortedAccordingTo(order.isAscending() ? ascending : ascending.reversed());
      }
    }
  }

  @Test
  void orderByJobCannotBeReversed() {
    assertThatThrownBy(() -> new SnapshotOrder(SnapshotOrder.Key.JOB, true))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static void fill(StoreFixture fixture) throws Exception {
    for (int i = 0; i < 9; i++) {
      Snapshot random = new RandomSnapshots(i).next(50 * (1 + i * 5 % 9));
      Origin origin = new Origin("format", PRODUCERS.get(i * 3 % 4), i);
      Snapshot snapshot =
          new Snapshot(
              origin, random.settings(), random.devices(), random.stacks(), random.findings());
      String id =
          new TestUploads(fixture.spool())
              .save(
                  fixture.store(),
                  snapshot,
                  new byte[] {(byte) i},
                  Tags.NONE,
                  i % 4 == 1 ? null : i * 7L % 9)
              .snapshot()
              .id();
      fixture.store().update(id, (i % 2 == 0 ? "a" : "B") + i * 5 % 9, Tags.NONE);
    }
  }

  private static List<StoredSnapshot> find(
      StoreFixture fixture, SnapshotOrder order, int limit, int offset) {
    return fixture
        .store()
        .find(new SnapshotFilter(null, null, null, null, null, order, limit, offset));
  }

  private static @Nullable Object value(StoredSnapshot stored, SnapshotOrder.Key key) {
    return switch (key) {
      case NEWEST -> stored.uploaded().toEpochMilli();
      case NAME -> stored.name().toLowerCase(Locale.ROOT);
      case OOMS -> (long) stored.oomCount();
      case PEAK -> stored.peakBytes();
      case ALLOCATED -> stored.allocatedBytes();
      case RESERVED -> stored.reservedBytes();
      case DEVICES -> (long) stored.deviceCount();
      case EVENTS -> stored.eventCount();
      case PRODUCER -> (long) PRODUCERS.indexOf(stored.producer());
      case JOB -> throw new AssertionError(key);
    };
  }

  private static int compare(Object one, Object other) {
    return one instanceof Long number
        ? number.compareTo((Long) other)
        : ((String) one).compareTo((String) other);
  }
}
