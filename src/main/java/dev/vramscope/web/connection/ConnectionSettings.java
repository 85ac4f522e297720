package dev.vramscope.web.connection;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Limits on the connections of clients.
 *
 * @param maxPerAddress connections from one address; not applied with {@code
 *     server.forward-headers-strategy}, where all come from a proxy
 * @param headTimeout time for the complete head of a request
 * @param minPace bytes per second of a request body, while the server waits for them
 * @param paceWindow the time of waiting over which that is measured
 * @param stopGrace time for requests in progress when the server stops; stalled ones end earlier
 */
@ConfigurationProperties("vramscope.connections")
public record ConnectionSettings(
    @DefaultValue("1024") int maxPerAddress,
    @DefaultValue("10s") Duration headTimeout,
    @DefaultValue("2KB") DataSize minPace,
    @DefaultValue("15s") Duration paceWindow,
    @DefaultValue("3s") Duration stopGrace) {}
