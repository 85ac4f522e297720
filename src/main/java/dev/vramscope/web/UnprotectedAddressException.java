package dev.vramscope.web;

/** The server was told to listen where others can reach it, without a token. */
final class UnprotectedAddressException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String address;

  UnprotectedAddressException(String address) {
    super("server.address is " + address + ", and there is no vramscope.token");
    this.address = address;
  }

  String address() {
    return address;
  }
}
