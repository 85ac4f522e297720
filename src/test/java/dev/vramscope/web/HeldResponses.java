package dev.vramscope.web;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Request;
import com.microsoft.playwright.Route;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Requests of a page that are not answered before the test says so: a slow server. Create it before
 * the page is opened: a page that is open already may send its next request without being asked.
 */
final class HeldResponses implements AutoCloseable {
  private final Page page;

  /** In the order of the requests; null once it is answered. */
  private final List<@Nullable Route> held = new ArrayList<>();

  private Predicate<Request> isHeld = request -> false;

  HeldResponses(Page page) {
    this.page = page;
    page.route("**/*", this::receive);
  }

  private void receive(Route route) {
    if (isHeld.test(route.request())) {
      held.add(route);
    } else {
      route.fallback();
    }
  }

  /** Holds the requests that a predicate selects, from now on. */
  void hold(Predicate<Request> selected) {
    isHeld = selected;
  }

  /** Waits until this many requests are held. */
  void await(int count) {
    page.waitForCondition(() -> held.size() >= count);
  }

  /** Answers the request that was held as the {@code number}-th, counted from 0. */
  void answer(int number) {
    taken(number).resume();
  }

  /** Answers a request with an error. */
  void fail(int number, int status) {
    taken(number).fulfill(new Route.FulfillOptions().setStatus(status).setBody(""));
  }

  /** Answers all requests that are held, and holds no others. */
  void release() {
    isHeld = request -> false;
    for (int number = 0; number < held.size(); number++) {
      if (held.get(number) != null) {
        answer(number);
      }
    }
  }

  private Route taken(int number) {
    return Objects.requireNonNull(held.set(number, null), "answered already");
  }

  /** Before the window is closed: requests that are then on their way are of no interest. */
  @Override
  public void close() {
    page.unrouteAll();
  }
}
