package dev.vramscope.web.security;

import jakarta.servlet.http.HttpServletRequest;
import org.springframework.http.HttpHeaders;
import org.springframework.security.web.firewall.FirewalledRequest;
import org.springframework.security.web.firewall.RequestRejectedException;
import org.springframework.security.web.firewall.StrictHttpFirewall;

/**
 * Rejects requests with an unknown {@code Host} (DNS rebinding), and everything that {@link
 * StrictHttpFirewall} rejects.
 *
 * <p>The header itself is checked, not {@link HttpServletRequest#getServerName()}, which behind a
 * proxy comes from {@code X-Forwarded-Host}: a page with a rebound name can send that header.
 */
final class HostCheck extends StrictHttpFirewall {
  private final HostNames names;

  HostCheck(HostNames names) {
    this.names = names;
    // Spring MVC rejects unknown methods with 405 and the list of the allowed ones.
    setUnsafeAllowAnyHttpMethod(true);
    // Tomcat rejects line breaks. All other bytes occur: file names and tags are UTF-8.
    setAllowedHeaderValues(_ -> true);
  }

  @Override
  public FirewalledRequest getFirewalledRequest(HttpServletRequest request) {
    String host = request.getHeader(HttpHeaders.HOST);
    if (!names.contain(host)) {
      throw new UnknownHostNameException(String.valueOf(host));
    }
    return super.getFirewalledRequest(request);
  }

  /** The {@code Host} of a request is not a name of this server. */
  static final class UnknownHostNameException extends RequestRejectedException {
    private static final long serialVersionUID = 1L;

    UnknownHostNameException(String host) {
      super("This server is not configured for the host name " + host);
    }
  }
}
