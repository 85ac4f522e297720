package dev.vramscope.web.request;

import dev.vramscope.store.SnapshotStore;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Collections;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.http.server.ServerHttpRequest;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyAdvice;

/**
 * Entity tags (RFC 9110, 8.8.3) for the methods with {@link Unchanging}. A browser that has such an
 * answer sends its tag, and receives 304 without the answer being computed, or the snapshot loaded.
 *
 * <p>The tag is that of the process: after a restart, which may bring another version, everything
 * is answered anew. It is weak, since Tomcat does not compress an answer with a strong one. Only
 * successful answers have it; an error is never repeated from a cache.
 */
@ControllerAdvice
public class EntityTags implements HandlerInterceptor, ResponseBodyAdvice<Object> {
  private static final String POLICY = "private, no-cache";

  private final String tag = "W/\"" + UUID.randomUUID() + "\"";
  private final SnapshotStore store;

  EntityTags(SnapshotStore store) {
    this.store = store;
  }

  @Override
  public boolean preHandle(
      HttpServletRequest request, HttpServletResponse response, Object handler) {
    boolean isUnchanged =
        handler instanceof HandlerMethod method
            && method.hasMethodAnnotation(Unchanging.class)
            && hasTag(request)
            && request.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE)
                instanceof Map<?, ?> variables
            && variables.get("id") instanceof String id
            && store.get(id).isPresent();
    if (isUnchanged) {
      response.setStatus(HttpStatus.NOT_MODIFIED.value());
      response.setHeader(HttpHeaders.ETAG, tag);
      response.setHeader(HttpHeaders.CACHE_CONTROL, POLICY);
    }
    return !isUnchanged;
  }

  /** A client may send anything; the tag is in no other text. */
  private boolean hasTag(HttpServletRequest request) {
    return Collections.list(request.getHeaders(HttpHeaders.IF_NONE_MATCH)).stream()
        .anyMatch(header -> header.contains(tag));
  }

  @Override
  public boolean supports(
      MethodParameter returned, Class<? extends HttpMessageConverter<?>> converter) {
    return returned.hasMethodAnnotation(Unchanging.class);
  }

  @Override
  public @Nullable Object beforeBodyWrite(
      @Nullable Object body,
      MethodParameter returned,
      MediaType type,
      Class<? extends HttpMessageConverter<?>> converter,
      ServerHttpRequest request,
      ServerHttpResponse response) {
    response.getHeaders().setETag(tag);
    response.getHeaders().setCacheControl(POLICY);
    return body;
  }
}
