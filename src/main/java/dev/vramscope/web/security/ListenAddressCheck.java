package dev.vramscope.web.security;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.stereotype.Component;

/** Lets the server start only on a loopback address or with an access token. */
@Component
final class ListenAddressCheck {
  ListenAddressCheck(ServerProperties server, WebSettings settings) {
    requireProtected(server.getAddress(), settings.token());
  }

  /** A null address means all addresses of the machine. */
  static void requireProtected(@Nullable InetAddress address, @Nullable String token) {
    if (token == null && (address == null || !address.isLoopbackAddress())) {
      throw new UnprotectedAddressException(
          address == null ? "all addresses" : address.getHostAddress());
    }
  }
}
