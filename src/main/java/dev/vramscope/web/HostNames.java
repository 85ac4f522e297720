package dev.vramscope.web;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The names under which this server may be reached. A page elsewhere can make its own host name
 * resolve to 127.0.0.1 and would then count as the same site; so without a token only loopback
 * names are answered. With a token such a page has no cookie, and any name will do.
 *
 * @param further names besides the loopback ones
 * @param any whether a token guards the door
 */
record HostNames(List<String> further, boolean any) {
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
    return LOOPBACK.matcher(name).matches() || further.stream().anyMatch(name::equalsIgnoreCase);
  }
}
