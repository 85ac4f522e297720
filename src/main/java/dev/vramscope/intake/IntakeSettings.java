package dev.vramscope.intake;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How much is done at once.
 *
 * @param maxReceiving uploads received at the same time; more are told to come again
 * @param heapPercent share of the heap in which received files are read into the model; one that
 *     does not fit beside the others waits on the disk
 */
@ConfigurationProperties("vramscope.intake")
public record IntakeSettings(
    @DefaultValue("256") int maxReceiving, @DefaultValue("60") int heapPercent) {}
