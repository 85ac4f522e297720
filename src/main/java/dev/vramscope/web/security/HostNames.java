package dev.vramscope.web.security;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The host names that this server accepts. A page of another site can make its own host name
 * resolve to 127.0.0.1, and browsers then treat its requests as same-site (DNS rebinding). Without
 * a token the server therefore accepts loopback names only. With a token such a page lacks the
 * cookie, and any name is accepted.
 *
 * @param additional names accepted in addition to the loopback names
 * @param any whether all names are accepted, because a token is required
 */
record HostNames(List<String> additional, boolean any) {
  private static final Pattern LOOPBACK =
      Pattern.compile("localhost|[a-z0-9-]+\\.localhost|127(?:\\.\\d{1,3}){3}|\\[::1]");
  private static final Pattern PORT = Pattern.compile(":\\d{1,5}$");

  boolean contain(@Nullable String hostHeader) {
    if (any) {
      return true;
    }
    if (hostHeader == null) {
      return false;
    }
    String name = PORT.matcher(hostHeader.toLowerCase(Locale.ROOT)).replaceFirst("");
    return LOOPBACK.matcher(name).matches() || additional.stream().anyMatch(name::equalsIgnoreCase);
  }
}
