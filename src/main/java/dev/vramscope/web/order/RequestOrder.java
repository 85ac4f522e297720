package dev.vramscope.web.order;

import dev.vramscope.store.files.Spool;
import dev.vramscope.web.connection.ClientConnection;
import dev.vramscope.web.problem.ProblemAdvice;
import dev.vramscope.web.problem.Problems;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.request.Requesters;
import dev.vramscope.work.Gate;
import dev.vramscope.work.HeavyWork;
import dev.vramscope.work.WorkCancelledException;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.coyote.BadRequestException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.security.concurrent.DelegatingSecurityContextCallable;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.util.ContentCachingResponseWrapper;

/**
 * The order in which requests compute. Those that compute for long take turns; of the others, a few
 * at a time are answered, so that many of them leave time for the former. The thread of a request
 * receives its body before and sends its response after, so that a slow client keeps nobody
 * waiting.
 */
@Component
@Order(Ordered.LOWEST_PRECEDENCE)
public final class RequestOrder extends OncePerRequestFilter {
  /**
   * These are found with the first request: Tomcat asks for its filters before it has started, and
   * a setting that is wrong is to be reported by Spring, not by Tomcat with a stack trace.
   */
  private final ObjectProvider<RequestCosts> costs;

  private final ObjectProvider<Spool> spool;
  private final HeavyWork work;
  private final ProblemAdvice advice;
  private final Duration maxWait;

  private final Gate answering;

  private final FormBudget forms;

  RequestOrder(
      ObjectProvider<RequestCosts> costs,
      HeavyWork work,
      Gate answering,
      ObjectProvider<Spool> spool,
      ProblemAdvice advice,
      FormBudget forms,
      WorkSettings settings) {
    this.costs = costs;
    this.work = work;
    this.spool = spool;
    this.advice = advice;
    maxWait = settings.maxWait();
    this.answering = answering;
    this.forms = forms;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    try (FormBudget.Reservation _ = forms.reserve(request)) {
      switch (costs.getObject().of(request)) {
        case RequestCosts.Cost.Heavy heavy -> takeTurn(heavy, request, response, chain);
        case RequestCosts.Cost.Quick quick -> answer(quick, request, response, chain);
        case RequestCosts.Cost.None _ -> chain.doFilter(request, response);
      }
    } catch (RefusedRequestException busy) {
      advice.write(busy, request, response);
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("The server is stopping");
    }
  }

  private void answer(
      RequestCosts.Cost.Quick cost,
      HttpServletRequest request,
      HttpServletResponse response,
      FilterChain chain)
      throws IOException, ServletException, InterruptedException {
    Optional<Gate.Place> place =
        answering.enter(Requesters.of(request), maxWait, cost.whenOverdue());
    if (place.isEmpty()) {
      if (hasLeft()) {
        cutAsLeft();
        return;
      }
      throw RefusedRequestException.busy(
          "The server answers too many other requests", "Retry in a few seconds.");
    }
    ContentCachingResponseWrapper buffered = new ContentCachingResponseWrapper(response);
    try (Gate.Place _ = place.get()) {
      chain.doFilter(request, buffered);
    }
    buffered.copyBodyToResponse();
  }

  private void takeTurn(
      RequestCosts.Cost.Heavy cost,
      HttpServletRequest request,
      HttpServletResponse response,
      FilterChain chain)
      throws IOException, ServletException {
    try (ReceivedRequest received = ReceivedRequest.of(request, spool.getObject())) {
      ContentCachingResponseWrapper buffered = new ContentCachingResponseWrapper(response);
      run(
          cost,
          request,
          () -> {
            chain.doFilter(received, buffered);
            return null;
          });
      if (buffered.getStatus() < HttpStatus.MULTIPLE_CHOICES.value()) {
        cost.whenAnswered().run();
      }
      buffered.copyBodyToResponse();
    } catch (WorkCancelledException cancelled) {
      if (hasLeft()) {
        cutAsLeft();
      } else {
        advice.write(cancelled, request, response);
      }
    } catch (IOException | ServletException | RuntimeException failed) {
      if (hasLeft()
          || ProblemAdvice.cause(failed, SocketException.class)
              != null) { // While its body was received, for example.
        cutAsLeft();
        return;
      }
      if (response.isCommitted()) {
        if (ProblemAdvice.cause(failed, BadRequestException.class) == null) {
          throw failed;
        }
        // Tomcat answers a body that it cannot read with the error page.
        request.setAttribute(Problems.ATTRIBUTE, advice.problem(failed));
        return;
      }
      advice.write(failed, request, response);
    }
  }

  private static boolean hasLeft() {
    return ClientConnection.current()
        .filter(connection -> connection.ended().isEmpty() && connection.hasLeft())
        .isPresent();
  }

  private static void cutAsLeft() {
    ClientConnection.current().ifPresent(ClientConnection::cutAsLeft);
  }

  private void run(RequestCosts.Cost.Heavy cost, HttpServletRequest request, Callable<Object> rest)
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
