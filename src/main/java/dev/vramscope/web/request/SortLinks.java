package dev.vramscope.web.request;

import dev.vramscope.store.listing.SnapshotOrder;
import dev.vramscope.web.problem.RefusedRequestException;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.web.util.UriComponentsBuilder;

/**
 * The links by which a list of snapshots is sorted. The whole list is sorted, not only the page of
 * it that is displayed.
 *
 * @param filters the parameters of the list other than its order and offset
 */
public record SortLinks(Map<String, String> filters, SnapshotOrder current) {
  /** The list by this key; in the other direction if it is sorted by it already. */
  public String by(String name) {
    SnapshotOrder.Key key = key(name);
    boolean isReversed = key == current.key() && !current.isReversed();
    return link(new SnapshotOrder(key, isReversed), null);
  }

  /** The value of {@code aria-sort} in the header of this key, or null. */
  public @Nullable String direction(String name) {
    if (key(name) != current.key()) {
      return null;
    }
    return current.isAscending() ? "ascending" : "descending";
  }

  /** The list in this order; without an offset, its first page. */
  public String link(SnapshotOrder order, @Nullable Integer offset) {
    UriComponentsBuilder link = UriComponentsBuilder.fromPath("/snapshots");
    filters.forEach((name, value) -> link.queryParam(name, "{" + name + "}"));
    if (order.key() != SnapshotOrder.Key.NEWEST) {
      link.queryParam("order", name(order.key()));
    }
    if (order.isReversed()) {
      link.queryParam("reverse", true);
    }
    if (offset != null && offset > 0) {
      link.queryParam("offset", offset);
    }
    return link.encode().buildAndExpand(filters).toUriString();
  }

  /** The order with this name. */
  public static SnapshotOrder order(String name, boolean isReversed) {
    for (SnapshotOrder.Key key : SnapshotOrder.Key.values()) {
      if (name(key).equalsIgnoreCase(name)) {
        if (isReversed && key == SnapshotOrder.Key.JOB) {
          throw RefusedRequestException.badParameter("reverse", true, "false with order=job");
        }
        return new SnapshotOrder(key, isReversed);
      }
    }
    throw RefusedRequestException.badParameter(
        "order",
        name,
        "newest, job, name, ooms, peak, allocated, reserved, devices, events or producer");
  }

  private static SnapshotOrder.Key key(String name) {
    return order(name, /* isReversed= */ false).key();
  }

  private static String name(SnapshotOrder.Key key) {
    return key.name().toLowerCase(Locale.ROOT);
  }
}
