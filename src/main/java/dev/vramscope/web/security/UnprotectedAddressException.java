package dev.vramscope.web.security;

/** The server is configured to listen on a non-loopback address without an access token. */
final class UnprotectedAddressException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String address;

  UnprotectedAddressException(String address) {
    super("server.address is " + address + " but vramscope.token is not set");
    this.address = address;
  }

  String address() {
    return address;
  }
}
