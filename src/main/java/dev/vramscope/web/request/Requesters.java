package dev.vramscope.web.request;

import dev.vramscope.web.connection.ClientConnection;
import dev.vramscope.web.connection.ClientNetwork;
import dev.vramscope.work.Requester;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/** The clients that ask for heavy work. */
public final class Requesters {
  private static final Requester SERVER = Requester.waiting("server");

  private Requesters() {}

  /** The name under which the shares of a request's client are counted. */
  public static String client(HttpServletRequest request) {
    return ClientNetwork.of(request.getRemoteAddr());
  }

  /** The client of a request, which leaves by closing its connection. */
  public static Requester of(HttpServletRequest request) {
    String client = client(request);
    return ClientConnection.current()
        .map(connection -> new Requester(client, connection::hasLeft))
        .orElseGet(() -> Requester.waiting(client));
  }

  /** The client of the request that the calling thread processes; the server itself without one. */
  public static Requester current() {
    return RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes servlet
        ? of(servlet.getRequest())
        : SERVER;
  }
}
