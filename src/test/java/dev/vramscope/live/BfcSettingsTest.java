package dev.vramscope.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.vramscope.allocator.bfc.BfcOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BfcSettingsTest {
  private static final long DEVICE_BYTES = 16L << 30;

  private static BfcOptions options(String text) {
    return BfcSettings.parse(text).options(0, DEVICE_BYTES);
  }

  @Test
  void defaultsAreThoseOfJax() {
    assertEquals(BfcOptions.jaxPreallocated(0, DEVICE_BYTES, 0.75), options(""));
    assertEquals(BfcOptions.jaxPreallocated(0, DEVICE_BYTES, 0.75), options(" , "));
  }

  @Test
  void parsesVariablesOfJax() {
    assertEquals(
        BfcOptions.jaxGrowing(0, DEVICE_BYTES, 0.75),
        options("XLA_PYTHON_CLIENT_PREALLOCATE=false"));
    assertEquals(
        BfcOptions.jaxGrowing(0, DEVICE_BYTES, 0.5),
        options("preallocate=0,XLA_PYTHON_CLIENT_MEM_FRACTION=.5"));
    assertEquals(
        BfcOptions.jaxPreallocated(0, DEVICE_BYTES, 0.9), options("XLA_CLIENT_MEM_FRACTION=.9"));
  }

  @Test
  void parsesOptionsOfTheAllocator() {
    assertEquals(
        BfcOptions.of("GPU_0_bfc", 2L << 30)
            .withGrowing(true)
            .withReleasesFreeRegions(true)
            .withRetries(false)
            .withFragmentationFraction(0.25),
        options(
            "memory_limit=2GiB, allow_growth=True, garbage_collection=1,"
                + "allow_retry_on_failure=false,fragmentation_fraction=0.25"));
    assertEquals(false, options("enable_spatial_partitioning=false").partitioned());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "growth=1 | has no option 'growth' | memory_limit, preallocate",
        "XLA_PYTHON_CLIENT_ALLOCATOR=platform | chooses another allocator | kind direct",
        "preallocate | preallocate' is not key=value | preallocate=false",
        "preallocate=maybe | preallocate is 'maybe' | true, false",
        "preallocate=1,preallocate=0 | preallocate is set twice | once",
        "preallocate=1,allow_growth=0 | preallocate and allow_growth conflict | one of them",
        "mem_fraction=.5,memory_limit=1 | mem_fraction and memory_limit conflict | one of them",
        "mem_fraction=1.01 | mem_fraction is '1.01' | from 0 to 1",
        "mem_fraction=-0.1 | mem_fraction is '-0.1' | from 0 to 1",
        "mem_fraction=NaN | mem_fraction is 'NaN' | from 0 to 1",
        "mem_fraction=half | mem_fraction is 'half' | from 0 to 1",
        "memory_limit=-1 | memory_limit is '-1' | 2GiB",
        "memory_limit=99999999TiB | memory_limit is '99999999TiB' | 2GiB",
        "preallocate=0,enable_spatial_partitioning=1 | does not grow | preallocate=true"
      })
  void namesInvalidSetting(String text, String what, String next) {
    HostingRefusedException refused =
        assertThrows(HostingRefusedException.class, () -> options(text));
    assertEquals("settings", refused.where());
    assertThat(refused).hasMessageContaining(what);
    assertThat(refused.next()).contains(next);
  }
}
