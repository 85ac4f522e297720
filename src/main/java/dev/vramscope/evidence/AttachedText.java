package dev.vramscope.evidence;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A text that a user attached to a snapshot, such as a line of a log.
 *
 * @param number its number among the texts of the snapshot, from 1
 * @param device the ordinal of the device that it is about
 * @param gpu the index of this device in the text, if the user chose it
 * @param added when it was attached
 */
public record AttachedText(
    int number, int device, @Nullable Integer gpu, Instant added, String text) {}
