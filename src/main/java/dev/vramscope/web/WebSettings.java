package dev.vramscope.web;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * What can be set about the door, as {@code vramscope.…}.
 *
 * @param token who has it may enter; without one everybody on this machine may, and nobody else
 * @param hostNames further names under which this service is reached, such as a proxy's; the
 *     loopback names always work
 * @param snapshotCache heap that open snapshots may take together; a quarter of the heap by default
 */
@ConfigurationProperties("vramscope")
record WebSettings(
    @Nullable String token,
    @DefaultValue List<String> hostNames,
    @Nullable DataSize snapshotCache) {

  /** The token, or null when there is none; an empty one counts as none. */
  @Override
  public @Nullable String token() {
    return token == null || token.isBlank() ? null : token;
  }

  long snapshotCacheBytes() {
    return snapshotCache == null ? Runtime.getRuntime().maxMemory() / 4 : snapshotCache.toBytes();
  }
}
