package dev.vramscope.web;

import dev.vramscope.store.SnapshotPendingException;
import dev.vramscope.store.SnapshotStore;
import dev.vramscope.store.StoreUnavailableException;
import dev.vramscope.store.StoredSnapshot;
import dev.vramscope.work.WorkKind;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.stereotype.Component;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerExecutionChain;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.util.ServletRequestPathUtils;

/**
 * Knows which requests compute for long: those that are {@link Heavy}, and the first of each page
 * or analysis of a snapshot, whose answer is kept with the loaded snapshot.
 */
@Component
final class RequestCosts {
  /** A smaller file is read and analysed in milliseconds. */
  private static final long SMALL_BYTES = 2 << 20;

  /**
   * A request that computes for long.
   *
   * @param answered to be called when it was answered
   */
  record Cost(WorkKind kind, Runnable answered) {}

  private final RequestMappingHandlerMapping handlers;
  private final SnapshotCache snapshots;
  private final SnapshotStore store;

  RequestCosts(
      @Qualifier("requestMappingHandlerMapping") RequestMappingHandlerMapping handlers,
      SnapshotCache snapshots,
      SnapshotStore store) {
    this.handlers = handlers;
    this.snapshots = snapshots;
    this.store = store;
  }

  /** Empty for a request that is answered at once. */
  Optional<Cost> of(HttpServletRequest request) {
    HandlerMethod handler = handler(request);
    if (handler == null) {
      return Optional.empty();
    }
    Heavy heavy = handler.getMethodAnnotation(Heavy.class);
    if (heavy != null) {
      return Optional.of(new Cost(heavy.value(), () -> {}));
    }
    if (isImmediate(handler)) {
      return Optional.empty();
    }
    return request.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE)
                instanceof Map<?, ?> variables
            && variables.get("id") instanceof String id
            && request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE)
                instanceof String pattern
            && pattern.contains("/snapshots/{id}")
            && request.getMethod().equals("GET")
        ? ofQuestion(id, pattern + " " + request.getParameter("device"))
        : Optional.empty();
  }

  private static boolean isImmediate(HandlerMethod handler) {
    return handler.hasMethodAnnotation(Immediate.class)
        || handler.getBeanType().isAnnotationPresent(Immediate.class);
  }

  private Optional<Cost> ofQuestion(String id, String question) {
    Optional<LoadedSnapshot> loaded = snapshots.loaded(id);
    boolean isAnswered = loaded.isPresent() && loaded.get().wasAnswered(question);
    return isAnswered || isSmall(id)
        ? Optional.empty()
        : Optional.of(
            new Cost(
                WorkKind.ANALYSIS,
                () -> snapshots.loaded(id).ifPresent(each -> each.answered(question))));
  }

  private boolean isSmall(String id) {
    try {
      return store.get(id).map(StoredSnapshot::originalBytes).orElse(0L) < SMALL_BYTES;
    } catch (StoreUnavailableException | SnapshotPendingException failed) {
      return true; // The handler fails with the same.
    }
  }

  /** Null for other resources, and for requests that will be rejected. */
  private @Nullable HandlerMethod handler(HttpServletRequest request) {
    try {
      if (!ServletRequestPathUtils.hasParsedRequestPath(request)) {
        ServletRequestPathUtils.parseAndCache(request);
      }
      HandlerExecutionChain chain = handlers.getHandler(request);
      return chain != null && chain.getHandler() instanceof HandlerMethod method ? method : null;
    } catch (Exception rejected) {
      return null;
    }
  }
}
