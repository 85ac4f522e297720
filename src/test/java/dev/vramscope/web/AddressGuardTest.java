package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;

class AddressGuardTest {
  @Test
  void loopbackNeedsNoToken() {
    InetAddress loopback = InetAddress.ofLiteral("127.0.0.1");
    assertThatCode(() -> AddressGuard.requireGuarded(loopback, null)).doesNotThrowAnyException();
    InetAddress six = InetAddress.ofLiteral("::1");
    assertThatCode(() -> AddressGuard.requireGuarded(six, null)).doesNotThrowAnyException();
  }

  @Test
  void anyOtherAddressDoes() {
    InetAddress every = InetAddress.ofLiteral("0.0.0.0");
    assertThatThrownBy(() -> AddressGuard.requireGuarded(every, null))
        .isInstanceOf(UnguardedAddressException.class);
    assertThatThrownBy(() -> AddressGuard.requireGuarded(null, null))
        .isInstanceOf(UnguardedAddressException.class);
    assertThatCode(() -> AddressGuard.requireGuarded(every, "token")).doesNotThrowAnyException();
  }
}
