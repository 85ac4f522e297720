package dev.vramscope.intake;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Limits on concurrent uploads.
 *
 * @param maxReceiving uploads received at the same time; further uploads are rejected and may be
 *     retried
 * @param maxReceivingPerAddress those of one client address, so that one client does not lock out
 *     the others
 * @param heapPercent percentage of the heap in which received files are read into the model; a file
 *     that does not fit together with the others waits in the spool
 */
@ConfigurationProperties("vramscope.intake")
public record IntakeSettings(
    @DefaultValue("256") int maxReceiving,
    @DefaultValue("192") int maxReceivingPerAddress,
    @DefaultValue("60") int heapPercent) {}
