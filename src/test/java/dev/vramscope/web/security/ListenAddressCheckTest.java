package dev.vramscope.web.security;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;

class ListenAddressCheckTest {
  @Test
  void loopbackNeedsNoToken() {
    InetAddress loopback = InetAddress.ofLiteral("127.0.0.1");
    assertThatCode(() -> ListenAddressCheck.requireProtected(loopback, null))
        .doesNotThrowAnyException();
    InetAddress six = InetAddress.ofLiteral("::1");
    assertThatCode(() -> ListenAddressCheck.requireProtected(six, null)).doesNotThrowAnyException();
  }

  @Test
  void otherAddressesNeedAToken() {
    InetAddress every = InetAddress.ofLiteral("0.0.0.0");
    assertThatThrownBy(() -> ListenAddressCheck.requireProtected(every, null))
        .isInstanceOf(UnprotectedAddressException.class);
    assertThatThrownBy(() -> ListenAddressCheck.requireProtected(null, null))
        .isInstanceOf(UnprotectedAddressException.class);
    assertThatCode(() -> ListenAddressCheck.requireProtected(every, "token"))
        .doesNotThrowAnyException();
  }
}
