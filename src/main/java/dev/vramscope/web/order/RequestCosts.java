package dev.vramscope.web.order;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import dev.vramscope.inspection.SnapshotInspection;
import dev.vramscope.web.request.Heavy;
import dev.vramscope.web.request.Immediate;
import dev.vramscope.web.snapshot.SnapshotCache;
import dev.vramscope.work.WorkKind;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
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
 * or analysis of a snapshot, whose answer is kept with the loaded snapshot. A snapshot whose quick
 * requests turn out to be long takes turns with all of its requests.
 */
@Component
final class RequestCosts {
  /** What a request costs. */
  sealed interface Cost {
    /**
     * It computes for long.
     *
     * @param whenAnswered to be called when it was answered
     */
    record Heavy(WorkKind kind, Runnable whenAnswered) implements Cost {}

    /**
     * It is answered at once, from what is known.
     *
     * @param whenOverdue to be called if it takes long after all
     */
    record Quick(Runnable whenOverdue) implements Cost {}

    /**
     * It is not counted: it computes next to nothing, or takes turns itself, or changes something.
     */
    record None() implements Cost {}
  }

  /** Parameters that choose a part of an answer that was computed. */
  private static final Set<String> PARAMETERS_OF_A_PART =
      Set.of(
          "from", "to", "event", "offset", "limit", "x", "range", "by", "sel", "scale", "colour",
          "text", "order", "reverse", "width", "height", "action", "min", "max", "address", "job");

  /** An event; or the name of a moment, each of which is analysed by itself. */
  private static final String MOMENT = "at";

  private static final Pattern EVENT = Pattern.compile("\\d+");

  /** A longer question is not remembered. */
  private static final int MAX_QUESTION = 200;

  private static final String OWN_PACKAGES = "dev.vramscope.";

  private static final int MAX_QUESTIONS = 1000;

  /** A snapshot may have been slow because the machine was. */
  private static final Duration SLOW_FOR = Duration.ofMinutes(10);

  private final RequestMappingHandlerMapping handlers;
  private final SnapshotCache snapshots;

  /** What was asked and answered; the answers are kept by the inspection. */
  private final LoadingCache<SnapshotInspection, Cache<String, Boolean>> answered =
      Caffeine.newBuilder()
          .weakKeys()
          .build(
              _ ->
                  Caffeine.newBuilder().maximumSize(MAX_QUESTIONS).executor(Runnable::run).build());

  /** The snapshots of which a quick request was slow lately: all their requests take turns. */
  private final Cache<String, Boolean> slow =
      Caffeine.newBuilder()
          .maximumSize(MAX_QUESTIONS)
          .expireAfterWrite(SLOW_FOR)
          .executor(Runnable::run)
          .build();

  RequestCosts(
      @Qualifier("requestMappingHandlerMapping") RequestMappingHandlerMapping handlers,
      SnapshotCache snapshots) {
    this.handlers = handlers;
    this.snapshots = snapshots;
  }

  /** What a request costs. */
  Cost of(HttpServletRequest request) {
    HandlerMethod handler = handler(request);
    if (handler == null) {
      return new Cost.None();
    }
    Heavy heavy = handler.getMethodAnnotation(Heavy.class);
    if (heavy != null) {
      return new Cost.Heavy(heavy.value(), () -> {});
    }
    boolean isRead = request.getMethod().equals("GET") || request.getMethod().equals("HEAD");
    if (isImmediate(handler) || !isRead) {
      return new Cost.None();
    }
    return request.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE)
                instanceof Map<?, ?> variables
            && variables.get("id") instanceof String id
            && request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE)
                instanceof String pattern
            && pattern.contains("/snapshots/{id}")
        ? ofQuestion(id, question(pattern, request))
        : new Cost.Quick(() -> {});
  }

  private static boolean isImmediate(HandlerMethod handler) {
    // The description of the REST API is made once, by a library, while all others wait for it.
    return !handler.getBeanType().getName().startsWith(OWN_PACKAGES)
        || handler.hasMethodAnnotation(Immediate.class)
        || handler.getBeanType().isAnnotationPresent(Immediate.class);
  }

  /** What has to be computed for a request. */
  private static String question(String pattern, HttpServletRequest request) {
    StringBuilder question = new StringBuilder(pattern);
    new TreeMap<>(request.getParameterMap())
        .forEach(
            (name, values) -> {
              if (!isOfAPart(name, values)) {
                question.append('&').append(name).append('=').append(String.join(",", values));
              }
            });
    return question.toString();
  }

  private static boolean isOfAPart(String name, String[] values) {
    return name.equals(MOMENT)
        ? Arrays.stream(values).allMatch(EVENT.asMatchPredicate())
        : PARAMETERS_OF_A_PART.contains(name);
  }

  private Cost ofQuestion(String id, String question) {
    Optional<SnapshotInspection> loaded = snapshots.loaded(id);
    boolean isAnswered =
        loaded.isPresent() && answered.get(loaded.get()).getIfPresent(question) != null;
    boolean isQuick = (isAnswered || snapshots.isSmall(id)) && slow.getIfPresent(id) == null;
    return isQuick
        ? new Cost.Quick(() -> slow.put(id, Boolean.TRUE))
        : new Cost.Heavy(
            WorkKind.ANALYSIS,
            () -> {
              if (question.length() <= MAX_QUESTION) {
                snapshots
                    .loaded(id)
                    .ifPresent(each -> answered.get(each).put(question, Boolean.TRUE));
              }
            });
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
