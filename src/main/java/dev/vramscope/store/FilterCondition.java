package dev.vramscope.store;

import dev.vramscope.model.Origin;
import dev.vramscope.store.listing.SnapshotFilter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A filter as SQL. Values are bound parameters, never part of the statement text.
 *
 * @param where empty, or {@code where …}
 * @param parameters by name
 */
record FilterCondition(String where, Map<String, Object> parameters) {

  /**
   * The condition of a filter.
   *
   * @param hidden ids that never match
   */
  static FilterCondition of(SnapshotFilter filter, Set<String> hidden) {
    List<String> terms = new ArrayList<>();
    Map<String, Object> parameters = new HashMap<>();
    String text = filter.text();
    add(
        "locate(:text, search) > 0",
        "text",
        text == null || text.isBlank() ? null : text.strip().toLowerCase(Locale.ROOT),
        terms,
        parameters);
    add("job = :job", "job", filter.job(), terms, parameters);
    add("rank = :rank", "rank", filter.rank(), terms, parameters);
    add("host = :host", "host", filter.host(), terms, parameters);
    add(
        "id in (select snapshot_id from labels where label = :label)",
        "label",
        filter.label(),
        terms,
        parameters);
    if (filter.withoutLogs()) {
      terms.add("format not in (:log, :compiled)");
      parameters.put("log", Origin.LOG);
      parameters.put("compiled", Origin.COMPILED);
    }
    if (!hidden.isEmpty()) {
      terms.add("id not in (:hidden)");
      parameters.put("hidden", hidden);
    }
    return new FilterCondition(
        terms.isEmpty() ? "" : " where " + String.join(" and ", terms), parameters);
  }

  private static void add(
      String term,
      String name,
      @Nullable String value,
      List<String> terms,
      Map<String, Object> parameters) {
    if (value != null) {
      terms.add(term);
      parameters.put(name, value);
    }
  }
}
