package dev.vramscope.web.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ClientNetworkTest {
  @Test
  void addressesOfAnIpv6NetworkAreOneClient() {
    String client = ClientNetwork.of("2001:db8:0:1:0:0:0:1");
    assertThat(ClientNetwork.of("2001:db8:0:1:ffff::2")).isEqualTo(client);
    assertThat(ClientNetwork.of("2001:db8:0:2::1")).isNotEqualTo(client);
    assertThat(ClientNetwork.of("::ffff:192.0.2.1")).isEqualTo("192.0.2.1");
    assertThat(ClientNetwork.of("192.0.2.1")).isEqualTo("192.0.2.1");
    assertThat(ClientNetwork.of("unknown:")).isEqualTo("unknown:");
  }

  @Test
  void connectionsOfAnIpv6NetworkAreCountedTogether() {
    Stream<String> open =
        Stream.of("2001:db8:0:1::2", "2001:db8:0:1::3", "2001:db8:0:2::1", "192.0.2.1");
    assertThat(ConnectionEndpoint.openOf("2001:db8:0:1::1", open)).isEqualTo(2);
  }
}
