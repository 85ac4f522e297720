package dev.vramscope.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.allocator.OutOfDeviceMemoryException;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.format.export.TorchPickleWriter;
import dev.vramscope.format.torch.TorchPickleReader;
import dev.vramscope.model.AllocatorFacts;
import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.model.Snapshot;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The facts in the snapshots of hosted allocators. */
class HostedFactsTest {
  private static final long MIB = 1 << 20;

  private final HostedOnSim service = new HostedOnSim();

  @ParameterizedTest
  @EnumSource(AllocatorKind.class)
  void snapshotContainsFamilyAndDevice(AllocatorKind kind) {
    HostedAllocator hosted = service.host(kind, 64 * MIB, "");
    hosted.allocator().allocate(10 * MIB, 0);
    AllocatorFacts facts = hosted.recorder().snapshot().devices().getFirst().facts();
    assertThat(facts.family().id()).isEqualTo(kind.id());
    assertThat(facts.deviceBytes()).hasValue(64 * MIB);
    assertThat(facts.deviceFreeBytes()).hasValue(hosted.device().memory().freeBytes());
    assertThat(facts.isSimulated()).isTrue();
  }

  @Test
  void limitsAreThoseOfTheSettings() {
    assertThat(limit(AllocatorKind.CACHING, "")).isEmpty();
    assertThat(limit(AllocatorKind.CACHING, "per_process_memory_fraction:0.5")).hasValue(32 * MIB);
    assertThat(limit(AllocatorKind.BFC, "memory_limit=16MiB")).hasValue(16 * MIB);
    assertThat(limit(AllocatorKind.DIRECT, "")).isEmpty();
  }

  private OptionalLong limit(AllocatorKind kind, String settings) {
    HostedAllocator hosted = service.host(kind, 64 * MIB, settings);
    return hosted.recorder().snapshot().devices().getFirst().facts().limitBytes();
  }

  @Test
  void bfcOptionsAreRecordedAsSettings() {
    HostedAllocator hosted = service.host(AllocatorKind.BFC, 64 * MIB, "memory_limit=16MiB");
    Map<String, String> settings = hosted.recorder().snapshot().settings().orElseThrow().values();
    assertThat(settings)
        .containsEntry("memory_limit", Long.toString(16 * MIB))
        .containsEntry("allow_growth", "false")
        .containsEntry("garbage_collection", "false");
  }

  @ParameterizedTest
  @EnumSource(AllocatorKind.class)
  void originalFileContainsTheSameFacts(AllocatorKind kind) throws IOException, FormatException {
    HostedAllocator hosted = service.host(kind, 64 * MIB, "");
    hosted.allocator().allocate(MIB, 0);
    try {
      hosted.allocator().allocate(1L << 40, 0);
    } catch (OutOfDeviceMemoryException expected) {
      // The failure stores a snapshot.
    }
    Snapshot stored = service.stored().getFirst();
    Snapshot read = readAgain(stored);
    assertThat(read.devices().getFirst().facts()).isEqualTo(stored.devices().getFirst().facts());
    assertThat(read.origin().producer()).isEqualTo(stored.origin().producer());
    assertThat(read.origin().captureMicros()).isEqualTo(stored.origin().captureMicros());
    assertThat(read.settings()).isEqualTo(stored.settings());
    assertThat(read.findings()).isEqualTo(stored.findings());
  }

  @Test
  void emptyAllocatorKeepsItsFactsInTheFile() throws IOException, FormatException {
    HostedAllocator hosted = service.host(AllocatorKind.DIRECT, 64 * MIB, "");
    AllocatorFacts facts = readAgain(hosted.recorder().snapshot()).devices().getFirst().facts();
    assertThat(facts.family()).isEqualTo(AllocatorFamily.DIRECT);
    assertThat(facts.deviceFreeBytes()).hasValue(64 * MIB);
  }

  private static Snapshot readAgain(Snapshot snapshot) throws IOException, FormatException {
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    TorchPickleWriter.write(snapshot, file);
    return TorchPickleReader.read(
        new ByteArrayInputStream(file.toByteArray()), ReadLimits.defaults());
  }
}
