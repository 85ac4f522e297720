package dev.vramscope.explain.producer;

/**
 * Something to do.
 *
 * @param text what, and what is known of its effect
 * @param code a setting, a command or lines of code; empty if there are none
 */
public record Advice(String text, String code) {}
