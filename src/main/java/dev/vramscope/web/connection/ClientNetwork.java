package dev.vramscope.web.connection;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.HexFormat;

/** Identifies the client that limits per address apply to. */
public final class ClientNetwork {
  private static final int NETWORK_BYTES = 8;

  private ClientNetwork() {}

  /**
   * The IPv4 address, or the IPv6 network of 64 bits: one client can use every address of it.
   *
   * @param address a literal; any other text is returned as it is
   */
  public static String of(String address) {
    if (!address.contains(":")) {
      return address;
    }
    try {
      InetAddress parsed = InetAddress.ofLiteral(address);
      return parsed instanceof Inet6Address
          ? HexFormat.of().formatHex(parsed.getAddress(), 0, NETWORK_BYTES)
          : parsed.getHostAddress();
    } catch (IllegalArgumentException notAnAddress) {
      return address;
    }
  }
}
