package dev.vramscope.web.order;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Limits on work that takes turns.
 *
 * @param maxWait a request that cannot begin after this time is rejected, and may be retried
 */
@ConfigurationProperties("vramscope.work")
public record WorkSettings(@DefaultValue("30s") Duration maxWait) {}
