package dev.vramscope.store.listing;

/**
 * What a list says about the first failure of a snapshot.
 *
 * @param cause in words
 * @param advice the most effective remedy, in words; empty if nothing in the recording supports one
 */
public record FailureAnswer(String cause, String advice) {}
