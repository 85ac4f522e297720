package dev.vramscope.store;

import dev.vramscope.store.listing.StoredSnapshot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Verifies the indexes of the table of snapshots. Rows have checksums, but a flipped byte in a page
 * of an index hides a row, or finds another one. Every value is looked up as searches do it, and
 * the result is compared with a scan of the table. The caller's transaction has to be consistent
 * among its statements.
 */
final class IndexVerification {
  /** The number of values in one statement. */
  private static final int CHUNK = 500;

  private static final Comparator<StoredSnapshot> BY_AGE =
      Comparator.comparing(StoredSnapshot::uploaded).reversed().thenComparing(StoredSnapshot::id);

  private final JdbcClient jdbc;

  IndexVerification(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * Whether all lookups find what a scan finds.
   *
   * @param rows all rows
   */
  boolean areIntact(List<StoredSnapshot> rows) {
    return isListed(rows)
        && areFound("id", rows, StoredSnapshot::id)
        && areFound("sha256", rows, StoredSnapshot::sha256)
        && areGrouped("job", rows, row -> row.tags().job())
        && areGrouped("rank", rows, row -> row.tags().rank())
        && areGrouped("host", rows, row -> row.tags().host())
        && areLabelled(rows);
  }

  private boolean isListed(List<StoredSnapshot> rows) {
    // Only with the id, which the index contains: H2 reads no row.
    List<String> ids =
        jdbc.sql("select id from snapshots order by uploaded desc, id").query(String.class).list();
    return ids.equals(rows.stream().sorted(BY_AGE).map(StoredSnapshot::id).toList());
  }

  /** Looks up the values of a unique column. */
  private boolean areFound(
      String column, List<StoredSnapshot> rows, Function<StoredSnapshot, String> value) {
    for (int from = 0; from < rows.size(); from += CHUNK) {
      List<StoredSnapshot> chunk = rows.subList(from, Math.min(from + CHUNK, rows.size()));
      List<String> values =
          jdbc.sql("select " + column + " from snapshots where " + column + " in (:values)")
              .param("values", chunk.stream().map(value).toList())
              .query(String.class)
              .list();
      if (values.size() != chunk.size()
          || !Set.copyOf(values).equals(Set.copyOf(chunk.stream().map(value).toList()))) {
        return false;
      }
    }
    return true;
  }

  private boolean areGrouped(
      String column, List<StoredSnapshot> rows, Function<StoredSnapshot, @Nullable String> value) {
    Map<String, Set<String>> groups = new HashMap<>();
    for (StoredSnapshot row : rows) {
      String group = value.apply(row);
      if (group != null) {
        groups.computeIfAbsent(group, _ -> new HashSet<>()).add(row.id());
      }
    }
    return areGroups("select id from snapshots where " + column + " = ?", groups);
  }

  private boolean areLabelled(List<StoredSnapshot> rows) {
    Map<String, Set<String>> groups = new HashMap<>();
    for (StoredSnapshot row : rows) {
      for (String label : row.tags().labels()) {
        groups.computeIfAbsent(label, _ -> new HashSet<>()).add(row.id());
      }
    }
    return areGroups("select snapshot_id from labels where label = ?", groups);
  }

  private boolean areGroups(String lookup, Map<String, Set<String>> groups) {
    for (Map.Entry<String, Set<String>> group : new ArrayList<>(groups.entrySet())) {
      List<String> ids = jdbc.sql(lookup).param(group.getKey()).query(String.class).list();
      if (ids.size() != group.getValue().size() || !group.getValue().containsAll(ids)) {
        return false;
      }
    }
    return true;
  }
}
