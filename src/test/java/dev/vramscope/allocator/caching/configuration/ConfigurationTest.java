package dev.vramscope.allocator.caching.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.vramscope.allocator.caching.CachingAllocator;
import dev.vramscope.allocator.caching.CachingOptions;
import dev.vramscope.device.sim.SimDevice;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigurationTest {
  private static final long MIB = 1L << 20;

  private final CachingAllocator allocator =
      new CachingAllocator(SimDevice.ofBytes(1L << 30), CachingOptions.of(""));

  private ConfigurationView configured(String settings) {
    allocator.configure(settings);
    return allocator.configuration();
  }

  private String rejected(String settings) {
    ConfigurationException e =
        assertThrows(ConfigurationException.class, () -> allocator.configure(settings));
    return e.kind().torchName() + ": " + e.getMessage();
  }

  @Test
  void whiteSpaceIsIgnored() {
    assertEquals(100 * MIB, configured(" max_split_size_mb :\t100 , \n").maxSplitBytes());
  }

  @Test
  void separatorsAreNotEnforced() {
    assertEquals(100 * MIB, configured("max_split_size_mb,100").maxSplitBytes());
    assertThat(rejected("max_split_size_mb:100:200"))
        .isEqualTo("ValueError: Unrecognized key '200' in Accelerator allocator config.");
  }

  @Test
  void someKeysAreResetByEveryString() {
    configured("max_split_size_mb:100,garbage_collection_threshold:0.5,expandable_segments:True");
    ConfigurationView after = configured("large_segment_size_mb:30");
    assertEquals(Configuration.UNLIMITED, after.maxSplitBytes());
    assertEquals(0, after.garbageCollectionThreshold());
    assertEquals(30 * MIB, after.maxNonSplitRoundingBytes());
    assertTrue(after.expandableSegments());
    assertEquals(30 * MIB, configured("").largeSegmentBytes());
  }

  @Test
  void settingsBeforeAnInvalidOneAreKept() {
    rejected("garbage_collection_threshold:0.5,max_split_size_mb:1");
    ConfigurationView after = allocator.configuration();
    assertEquals(0.5, after.garbageCollectionThreshold());
    assertEquals("garbage_collection_threshold:0.5,max_split_size_mb:1", after.lastSettings());
  }

  @Test
  void divisionsApplyToIntervals() {
    assertEquals(
        List.of(8L, 8L, 8L, 8L, 8L, 8L, 8L, 0L, 4L, 2L, 2L, 2L, 2L, 2L, 2L, 2L),
        configured("roundup_power2_divisions:[64:8,256:4,>:2]").roundupPower2Divisions());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "max_split_size_mb:19 | ValueError: CachingAllocator option max_split_size_mb too small,"
            + " must be >= 20",
        "max_split_size_mb:x1 | std: stoull",
        "garbage_collection_threshold:x | std: stod",
        "garbage_collection_threshold:nan | ValueError: garbage_collect_threshold is invalid, set"
            + " it in (0.0, 1.0)",
        "expandable_segments:yes | ValueError: Expected 'True' or 'False' at index 2 in"
            + " ConfigTokenizer but got 'yes'",
        "pinned_num_register_threads:-1 | ValueError: Number of register threads has to be power of"
            + " 2, got 18446744073709551615",
        "max_split_size_mb:99999999999999999999 | std: stoull",
      })
  void invalidSettingsHavePytorchsMessages(String settings, String message) {
    assertEquals(message, rejected(settings));
  }

  @Test
  void reportsStringsThatEndTooEarly() {
    for (String settings :
        List.of(
            "max_split_size_mb",
            "max_split_size_mb:",
            "backend",
            "roundup_power2_divisions:[64:4",
            "roundup_power2_divisions:[",
            "pinned_num_register_threads:[1,2")) {
      assertThat(rejected(settings)).startsWith("Error: i < ").contains("INTERNAL ASSERT FAILED");
    }
  }

  /** Random strings made of pieces of settings: accepted, or rejected with a message. */
  @Test
  void randomStringsAreAcceptedOrRejected() {
    List<String> pieces =
        List.of(
            "max_split_size_mb",
            "max_non_split_rounding_mb",
            "garbage_collection_threshold",
            "roundup_power2_divisions",
            "expandable_segments",
            "large_segment_size_mb",
            "pinned_use_background_threads",
            "pinned_max_round_threshold_mb",
            "backend",
            "pinned_max_cached_size_mb",
            "release_lock_on_cudamalloc",
            "throw_on_cudamalloc_oom",
            "pinned_num_register_threads",
            "pinned_reserve_segment_size_mb",
            "native",
            "per_process_memory_fraction",
            "graph_capture_record_stream_reuse",
            ":",
            ":",
            ":",
            ",",
            ",",
            "[",
            "]",
            ">",
            "True",
            "False",
            "0",
            "1",
            "20",
            "64",
            "-5",
            "0.5",
            "1e400",
            "0x1p",
            "18446744073709551615",
            "18446744073709551616",
            "inf",
            "nan",
            " ",
            "\u00e9",
            "\0",
            "");
    for (long seed = 0; seed < 20_000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      StringBuilder settings = new StringBuilder();
      for (int i = random.nextInt(14); i > 0; i--) {
        settings.append(pieces.get(random.nextInt(pieces.size())));
      }
      try {
        allocator.configure(settings.toString());
      } catch (ConfigurationException e) {
        assertThat(e.getMessage()).isNotBlank();
      } catch (RuntimeException e) {
        throw new AssertionError("seed " + seed + ": '" + settings + "'", e);
      }
      assertEquals(settings.toString(), allocator.configuration().lastSettings());
    }
    allocator.free(allocator.allocate(5 * MIB, 0));
    allocator.checkInvariants();
  }

  @Test
  void constructorRejectsInvalidSettings() {
    SimDevice device = SimDevice.ofBytes(1L << 30);
    ConfigurationException e =
        assertThrows(
            ConfigurationException.class,
            () -> new CachingAllocator(device, CachingOptions.of("foo:bar")));
    assertEquals("Unrecognized key 'foo' in CUDA allocator config.", e.getMessage());
  }
}
