package dev.vramscope.explain.message;

import dev.vramscope.evidence.Quantity;
import java.util.Optional;

/**
 * A field of a message.
 *
 * @param of what the value is of where a message has several: the number of a process, a buffer;
 *     empty if the name says it
 * @param written the value as the text has it
 * @param quantity the value of a number of bytes; empty if it is none, or more than a device has
 */
public record Field(FieldName name, String of, String written, Optional<Quantity> quantity) {}
