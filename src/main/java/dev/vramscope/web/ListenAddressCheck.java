package dev.vramscope.web;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.stereotype.Component;

/** Lets the server start only where a stranger cannot enter: on loopback, or with a token. */
@Component
final class ListenAddressCheck {
  ListenAddressCheck(ServerProperties server, WebSettings settings) {
    requireProtected(server.getAddress(), settings.token());
  }

  /** No address means every address of the machine. */
  static void requireProtected(@Nullable InetAddress address, @Nullable String token) {
    if (token == null && (address == null || !address.isLoopbackAddress())) {
      throw new UnprotectedAddressException(
          address == null ? "every address" : address.getHostAddress());
    }
  }
}
