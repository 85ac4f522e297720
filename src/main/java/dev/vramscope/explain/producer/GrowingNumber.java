package dev.vramscope.explain.producer;

/**
 * A number of the memory that a program prints again and again, and that grows: what is kept from
 * step to step is a leak.
 *
 * @param name as the log has it
 * @param first its first value, with the unit of the log if it has one
 * @param last its last value
 * @param count how often it is printed
 */
public record GrowingNumber(String name, String first, String last, int count) {}
