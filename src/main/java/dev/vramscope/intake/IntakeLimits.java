package dev.vramscope.intake;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * How much one upload may be. What a file may hold is bounded by the readers, from the heap.
 *
 * @param maxUpload bytes on the wire
 * @param maxUncompressed bytes after unpacking
 * @param maxRatio bytes that come out of one compressed byte, counted after the first MiB; a real
 *     snapshot reaches 21, a bomb of zeros 1030
 * @param maxDuration how long a client may take to send
 */
@ConfigurationProperties("vramscope.limits")
public record IntakeLimits(
    @DefaultValue("8GB") DataSize maxUpload,
    @DefaultValue("16GB") DataSize maxUncompressed,
    @DefaultValue("1000") int maxRatio,
    @DefaultValue("2h") Duration maxDuration) {}
