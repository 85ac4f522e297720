package dev.vramscope.web.connection;

import org.apache.coyote.http11.Http11NioProtocol;

/** Tomcat's HTTP protocol on a {@link ConnectionEndpoint}. Tomcat creates it by its name. */
public final class ConnectionProtocol extends Http11NioProtocol {
  private final ConnectionEndpoint endpoint;

  /** Creates the protocol with its endpoint. */
  public ConnectionProtocol() {
    this(new ConnectionEndpoint());
  }

  private ConnectionProtocol(ConnectionEndpoint endpoint) {
    super(endpoint);
    this.endpoint = endpoint;
  }

  ConnectionEndpoint endpoint() {
    return endpoint;
  }
}
