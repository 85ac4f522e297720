package dev.vramscope.web.live;

import dev.vramscope.store.SnapshotPendingException;
import dev.vramscope.store.SnapshotStore;
import dev.vramscope.store.files.StoreUnavailableException;
import dev.vramscope.store.listing.SnapshotFilter;
import dev.vramscope.store.listing.StoredSnapshot;
import dev.vramscope.web.display.DisplayFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * The stored snapshots that can be replayed, as options of a text field: browsers offer those that
 * contain the typed text. The field's value is the name with the id, or an id alone.
 */
@Component
final class ReplayChoices {
  private static final int MAX_CHOICES = 500;
  private static final Pattern WITH_ID = Pattern.compile(".*\\(([0-9a-f]{16,64})\\)\\s*");

  private final SnapshotStore store;

  ReplayChoices(SnapshotStore store) {
    this.store = store;
  }

  /**
   * One option.
   *
   * @param value of the field
   * @param details shown beside it
   */
  record Choice(String value, String details) {
    static Choice of(StoredSnapshot stored) {
      DisplayFormat format = new DisplayFormat();
      String job = stored.tags().job();
      return new Choice(
          stored.name() + " (" + stored.id() + ")",
          format.counted(stored.eventCount(), "event")
              + (job == null ? "" : ", " + job)
              + ", "
              + format.ago(stored.uploaded()));
    }
  }

  /** The newest snapshots with a trace; none while the store is unavailable. */
  List<Choice> newest() {
    try {
      return store.find(SnapshotFilter.newest(MAX_CHOICES)).stream()
          .filter(stored -> stored.eventCount() > 0)
          .map(Choice::of)
          .toList();
    } catch (StoreUnavailableException down) {
      return List.of();
    }
  }

  /** The field's value for a snapshot id, or the id if no such snapshot is stored. */
  @Nullable String valueOf(@Nullable String id) {
    if (id == null) {
      return null;
    }
    try {
      return store.get(id).map(stored -> Choice.of(stored).value()).orElse(id);
    } catch (StoreUnavailableException | SnapshotPendingException later) {
      return id;
    }
  }

  /** The snapshot id in a value of the field. */
  static String idOf(String value) {
    Matcher withId = WITH_ID.matcher(value);
    return withId.matches() ? withId.group(1) : value.strip();
  }
}
