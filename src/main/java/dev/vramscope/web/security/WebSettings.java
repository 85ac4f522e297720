package dev.vramscope.web.security;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings of the web interface, {@code vramscope.…}.
 *
 * @param token the access token; without one the server listens on loopback only and is open to
 *     every local user
 * @param hostNames additional host names, such as that of a proxy; loopback names are always
 *     accepted, and with a token all names
 * @param snapshotCache heap for loaded snapshots, by default a quarter of the maximum
 */
@ConfigurationProperties("vramscope")
public record WebSettings(
    @Nullable String token,
    @DefaultValue List<String> hostNames,
    @Nullable DataSize snapshotCache) {

  /** The token, or null; a blank token counts as none. */
  @Override
  public @Nullable String token() {
    return token == null || token.isBlank() ? null : token;
  }

  public long snapshotCacheBytes() {
    return snapshotCache == null ? Runtime.getRuntime().maxMemory() / 4 : snapshotCache.toBytes();
  }
}
