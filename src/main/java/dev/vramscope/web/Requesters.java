package dev.vramscope.web;

import dev.vramscope.web.connection.ClientConnection;
import dev.vramscope.web.connection.ClientNetwork;
import dev.vramscope.work.Requester;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/** The clients that ask for heavy work. */
final class Requesters {
  private static final Requester SERVER = Requester.waiting("server");

  private Requesters() {}

  /** The client of a request, which leaves by closing its connection. */
  static Requester of(HttpServletRequest request) {
    String client = ClientNetwork.of(request.getRemoteAddr());
    return ClientConnection.current()
        .map(connection -> new Requester(client, connection::hasLeft))
        .orElseGet(() -> Requester.waiting(client));
  }

  /** The client of the request that the calling thread processes; the server itself without one. */
  static Requester current() {
    return RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes servlet
        ? of(servlet.getRequest())
        : SERVER;
  }
}
