package dev.vramscope.web;

import dev.vramscope.store.Spool;
import dev.vramscope.web.connection.ClientConnection;
import dev.vramscope.work.HeavyWork;
import dev.vramscope.work.WorkCancelledException;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.security.concurrent.DelegatingSecurityContextCallable;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.util.ContentCachingResponseWrapper;

/**
 * Lets requests that compute for long take turns. The thread of the request receives the body
 * before and sends the response after, so that a slow client never holds a turn.
 */
@Component
@Order(Ordered.LOWEST_PRECEDENCE)
final class HeavyRequests extends OncePerRequestFilter {
  private final RequestCosts costs;
  private final HeavyWork work;
  private final Spool spool;
  private final ProblemAdvice advice;

  HeavyRequests(RequestCosts costs, HeavyWork work, Spool spool, ProblemAdvice advice) {
    this.costs = costs;
    this.work = work;
    this.spool = spool;
    this.advice = advice;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    Optional<RequestCosts.Cost> cost = costs.of(request);
    if (cost.isEmpty()) {
      chain.doFilter(request, response);
      return;
    }
    try (ReceivedRequest received = ReceivedRequest.of(request, spool)) {
      ContentCachingResponseWrapper buffered = new ContentCachingResponseWrapper(response);
      run(
          cost.get(),
          request,
          () -> {
            chain.doFilter(received, buffered);
            return null;
          });
      cost.get().answered().run();
      buffered.copyBodyToResponse();
    } catch (WorkCancelledException left) {
      if (ClientConnection.current().filter(ClientConnection::hasLeft).isPresent()) {
        ClientConnection.current().ifPresent(ClientConnection::cutAsLeft);
      } else {
        advice.write(left, request, response);
      }
    } catch (IOException | ServletException | RuntimeException failed) {
      if (response.isCommitted()) {
        throw failed;
      }
      advice.write(failed, request, response);
    }
  }

  private void run(RequestCosts.Cost cost, HttpServletRequest request, Callable<Object> rest)
      throws IOException, ServletException {
    Optional<ClientConnection> connection = ClientConnection.current();
    Callable<Object> task = new DelegatingSecurityContextCallable<>(rest);
    try {
      work.run(
          cost.kind(),
          Requesters.of(request),
          connection.isPresent() ? () -> connection.get().call(task) : task);
    } catch (IOException | ServletException | RuntimeException failed) {
      throw failed;
    } catch (Exception failed) {
      throw new ServletException(failed);
    }
  }
}
