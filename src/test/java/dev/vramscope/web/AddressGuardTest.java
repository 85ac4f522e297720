package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;

class AddressGuardTest {
  @Test
  void loopbackNeedsNoToken() throws Exception {
    InetAddress loopback = InetAddress.getByName("127.0.0.1");
    assertThatCode(() -> AddressGuard.requireGuarded(loopback, null)).doesNotThrowAnyException();
    InetAddress six = InetAddress.getByName("::1");
    assertThatCode(() -> AddressGuard.requireGuarded(six, null)).doesNotThrowAnyException();
  }

  @Test
  void anyOtherAddressDoes() throws Exception {
    InetAddress every = InetAddress.getByName("0.0.0.0");
    assertThatThrownBy(() -> AddressGuard.requireGuarded(every, null))
        .isInstanceOf(UnguardedAddressException.class);
    assertThatThrownBy(() -> AddressGuard.requireGuarded(null, null))
        .isInstanceOf(UnguardedAddressException.class);
    assertThatCode(() -> AddressGuard.requireGuarded(every, "token")).doesNotThrowAnyException();
  }
}
