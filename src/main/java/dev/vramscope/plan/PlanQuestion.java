package dev.vramscope.plan;

import dev.vramscope.whatif.DeviceSize;
import dev.vramscope.whatif.Variant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What is asked of a plan.
 *
 * @param find the parameter whose largest value is searched
 * @param at values that are asked; without one for the searched parameter, the largest that fits is
 *     shown
 * @param sizes devices; may be empty
 * @param variants settings; empty for the recorded ones
 */
public record PlanQuestion(
    String find, Map<String, Long> at, List<DeviceSize> sizes, List<Variant.Caching> variants) {
  public PlanQuestion {
    at = Collections.unmodifiableMap(new TreeMap<>(at));
    sizes = List.copyOf(sizes);
    variants = List.copyOf(variants);
  }
}
