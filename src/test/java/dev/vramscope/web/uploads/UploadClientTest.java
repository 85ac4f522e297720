package dev.vramscope.web.uploads;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;

class UploadClientTest {
  @Test
  void uploadsFromAnIpv6NetworkShareTheirPlaces() {
    assertThat(address("2001:db8:0:1::1")).isEqualTo(address("2001:db8:0:1::2"));
    assertThat(address("2001:db8:0:1::1")).isNotEqualTo(address("2001:db8:0:2::1"));
  }

  private static String address(String remote) {
    MockHttpServletRequest request = new MockHttpServletRequest();
    request.setRemoteAddr(remote);
    return UploadApi.client(request).address();
  }
}
