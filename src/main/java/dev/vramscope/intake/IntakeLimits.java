package dev.vramscope.intake;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Limits on one upload. The readers limit the contents of a file, in proportion to the heap.
 *
 * @param maxUpload bytes of the request body
 * @param maxUncompressed bytes after decompression
 * @param maxRatio decompressed bytes per compressed byte, checked after the first MiB; a real
 *     snapshot reaches 21, a bomb of zeros 1030
 * @param maxDuration how long a client may take to send the body
 */
@ConfigurationProperties("vramscope.limits")
public record IntakeLimits(
    @DefaultValue("8GB") DataSize maxUpload,
    @DefaultValue("16GB") DataSize maxUncompressed,
    @DefaultValue("1000") int maxRatio,
    @DefaultValue("2h") Duration maxDuration) {}
