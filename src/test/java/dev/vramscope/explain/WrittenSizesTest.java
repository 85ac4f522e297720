package dev.vramscope.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.evidence.Quantity;
import dev.vramscope.explain.host.HostRequests;
import dev.vramscope.explain.library.Nccl;
import dev.vramscope.explain.library.OnnxRuntime;
import dev.vramscope.explain.library.Rmm;
import dev.vramscope.explain.message.MessageKind;
import dev.vramscope.explain.serving.LlamaCpp;
import dev.vramscope.explain.torch.PyTorch;
import dev.vramscope.explain.xla.Xla;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.LongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Every size of every message, in every way in which programs write sizes: it is read as what it
 * was before it was rounded, or not at all.
 */
class WrittenSizesTest {
  private static final int ROUNDS = 60;
  private static final long SEED = 11;
  private static final Pattern SLOT = Pattern.compile("<([a-z-]+)>");

  /** How a program writes sizes. */
  private record Style(String name, boolean isRoundedDown, LongFunction<String> write) {}

  /**
   * A message with a slot for each size.
   *
   * @param isBare whether its program writes bytes without a unit, or has done so
   * @param isRoundedDown whether the program rounds down
   */
  private record Form(MessageKind kind, boolean isBare, boolean isRoundedDown, String text) {}

  private static final Style BARE = new Style("bare", false, Long::toString);

  private static final List<Style> WITH_UNIT =
      List.of(
          new Style("bytes", false, bytes -> bytes + " bytes"),
          new Style("B", false, bytes -> bytes + "B"),
          new Style("commas", false, bytes -> String.format(Locale.ROOT, "%,d bytes", bytes)),
          new Style("PyTorch", false, bytes -> nearest(bytes, " ", "iB")),
          new Style("GB", false, bytes -> nearest(bytes, " ", "B")),
          new Style("XLA", true, bytes -> down(bytes, "iB")),
          new Style("XLA, short", true, bytes -> down(bytes, "")),
          new Style("whole units", true, WrittenSizesTest::whole));

  /** No sizes, although they begin with a number. */
  private static final List<String> NONE =
      List.of("256.00", "256.00Qi", "12 Gbit", "33%", "1.5e+12", "7,12 GiB", "-3 MiB", "nan");

  private static final List<Form> FORMS =
      List.of(
          new Form(
              Xla.BFC,
              true,
              true,
              "Allocator (GPU_0_bfc) ran out of memory trying to allocate <requested> (rounded to"
                  + " <rounded>)requested by op Fill\nCurrent allocation summary follows.\n"
                  + "BFCAllocator dump for GPU_0_bfc\n2 Chunks of size 256 totalling <chunks>\n"
                  + "Sum Total of in-use chunks: <in-use-chunks>\nTotal size in pool: <pool>"
                  + " available size: <available> curr_region_allocation_bytes_: 5\nStats: \n"
                  + "Limit:            <limit>\nInUse:      <in-use>\nMaxInUse:   <in-use-peak>\n"
                  + "NumAllocs:      2\nMaxAllocSize:     <largest-allocation>\nReserved:  0B\n"),
          new Form(
              Xla.BFC,
              true,
              true,
              "Total bytes in pool: <pool> memory_limit_: <limit> available bytes: <available>"
                  + " curr_region_allocation_bytes_: 37991546880\n"),
          new Form(
              Xla.BFC,
              true,
              true,
              "Allocator memory summary: rounded request 256B, total free in pool <free-chunks>,"
                  + " largest free chunk usable by lower end <largest-free>, unallocated bytes"
                  + " <available>, pool size <pool>, pool limit <limit>\n"),
          new Form(
              Xla.BFC_WARNING,
              false,
              true,
              "Allocator (GPU_0_bfc) ran out of memory trying to allocate <requested> with"
                  + " freed_by_count=0. The caller indicates that this is not a failure"),
          new Form(
              Xla.XLA_OOM,
              false,
              true,
              """
              RESOURCE_EXHAUSTED: Out of memory while trying to allocate <requested>.
              BufferAssignment OOM Debugging.
              BufferAssignment stats:
                           parameter allocation: <parameters>
                            constant allocation: <constants>
                      maybe_live_out allocation: <outputs>
                   preallocated temp allocation: <temporaries>
                               total allocation: <total-needed>
                            total fragmentation: <fragmentation>
              Peak buffers:
              \tBuffer 1:
              \t\tSize: <buffer>
              \t\tXLA Label: fusion
              """),
          new Form(
              Xla.XLA_TPU,
              true,
              true,
              "Ran out of memory in memory space hbm. Used <used> of <total> hbm. Exceeded hbm"
                  + " capacity by <exceeded>.\nTotal hbm usage >= <usage>:\n    reserved"
                  + " <system-reserved>\n    program <program>\n    arguments <arguments>\n"
                  + "Output size <output>\nProgram hbm requirement 1:\n    global <global>\n"
                  + "    scoped <scoped>\n    HLO temp <temporaries> (99.1% utilization: Unpadded"
                  + " (1) Padded (2), 0.3% fragmentation (<fragmentation>))\n"),
          new Form(
              Xla.XLA_TPU_RUNTIME,
              true,
              true,
              "Attempting to allocate <requested>. That was not possible. There are <free> free."),
          new Form(
              Xla.XLA_SINGLE,
              true,
              false,
              "Allocation (size=<requested>) would exceed memory (size=<total>) :: shape = 'u8'"),
          new Form(
              Xla.XLA_ABORT,
              true,
              false,
              "unlikely to have enough memory. Requires <requested>, has <total> available"),
          new Form(
              PyTorch.TORCH,
              false,
              false,
              "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate <requested>. GPU 1"
                  + " has a total capacity of <total> of which <free> is free. Process 42 has"
                  + " <process> memory in use. Including non-PyTorch memory, this process has"
                  + " <this-process> memory in use. <allowed> allowed; Of the allocated memory"
                  + " <allocated> is allocated by PyTorch, with <private-pools> allocated in"
                  + " private pools (e.g., CUDA Graphs), and <unallocated> is reserved by PyTorch"
                  + " but unallocated."),
          new Form(
              PyTorch.TORCH,
              false,
              false,
              "RuntimeError: CUDA out of memory. Tried to allocate <requested> (GPU 3; <total>"
                  + " total capacity; <allocated> already allocated; <free> free; <reserved>"
                  + " reserved in total by PyTorch)"),
          new Form(
              PyTorch.TORCH_ASYNC,
              false,
              false,
              "Allocation on device 2 would exceed allowed memory. (out of memory)\nCurrently"
                  + " allocated     : <allocated>\nRequested               : <requested>\nDevice"
                  + " limit            : <total>\nFree (according to CUDA): <free>\nPyTorch limit"
                  + " (set by user-supplied memory fraction)\n                        : <allowed>"),
          new Form(
              PyTorch.TORCH_MPS,
              false,
              false,
              "MPS backend out of memory (MPS allocated: <allocated>, other allocations: <other>,"
                  + " max allowed: <allowed>). Tried to allocate <requested> on private pool."),
          new Form(
              PyTorch.MEMORY_STATS,
              true,
              false,
              "{\"active_bytes.all.current\": <active>, \"allocated_bytes.all.current\":"
                  + " <allocated>, \"allocated_bytes.all.peak\": <allocated-peak>,"
                  + " \"reserved_bytes.all.current\": <reserved>}"),
          new Form(
              PyTorch.MEMORY_SUMMARY,
              false,
              true,
              """
              | PyTorch CUDA memory summary, device ID 0 |
              | Allocated memory | <allocated> |
              | GPU reserved memory | <reserved> |
              """),
          new Form(Nccl.NCCL, false, false, "NCCL WARN Failed to CUDA calloc <requested>"),
          new Form(
              Rmm.RMM,
              false,
              false,
              "[A][Stream 0x1][Upstream <requested>][FAILURE maximum pool size exceeded]"),
          new Form(
              OnnxRuntime.ONNXRUNTIME,
              true,
              false,
              "Failed to allocate memory for requested buffer of size <requested>\n"),
          new Form(
              LlamaCpp.LLAMA_CPP,
              true,
              false,
              "llama_model_load: failed to allocate CUDA0 buffer of size <requested>\n"),
          new Form(
              HostRequests.HOST,
              false,
              false,
              "DefaultCPUAllocator: can't allocate memory: you tried to allocate <requested>."));

  private static String nearest(long bytes, String blank, String unit) {
    if (bytes < 1024) {
      return bytes + " bytes";
    }
    int power = (63 - Long.numberOfLeadingZeros(bytes)) / 10;
    return String.format(
        Locale.ROOT,
        "%.2f%s%s%s",
        bytes / (double) (1L << (10 * power)),
        blank,
        "KMGTPE".charAt(power - 1),
        unit);
  }

  /** As {@code HumanReadableNumBytes} does. */
  private static String down(long bytes, String unit) {
    if (bytes < 1024) {
      return bytes + "B";
    }
    long number = bytes;
    int power = 0;
    while (number >= 1024 * 1024) {
      number /= 1024;
      power++;
    }
    return String.format(
        Locale.ROOT,
        power == 0 ? "%.1f%s%s" : "%.2f%s%s",
        number / 1024.0,
        "KMGTPE".charAt(power),
        unit);
  }

  private static String whole(long bytes) {
    int power = Math.max(0, (63 - Long.numberOfLeadingZeros(Math.max(1, bytes / 768))) / 10);
    return power == 0
        ? bytes + " B"
        : (bytes >> (10 * power)) + " " + "KMGTPE".charAt(power - 1) + "iB";
  }

  private static long size(SplittableRandom random) {
    return switch (random.nextInt(6)) {
      case 0 -> random.nextLong(3);
      case 1 -> (1L << random.nextInt(1, 59)) + random.nextLong(-1, 2);
      case 2 -> 1_000_000_000_000L + random.nextLong(-1, 2);
      case 3 -> random.nextLong(100_000) << 20;
      default -> random.nextLong(1L << random.nextInt(1, 59));
    };
  }

  /** A message, and the sizes that were written into its slots. */
  private record Written(String text, Map<String, Long> sizes) {}

  private static Written write(Form form, LongFunction<String> style, SplittableRandom random) {
    Map<String, Long> sizes = new LinkedHashMap<>();
    StringBuilder text = new StringBuilder();
    Matcher slot = SLOT.matcher(form.text());
    while (slot.find()) {
      long bytes = size(random);
      sizes.put(slot.group(1), bytes);
      slot.appendReplacement(text, Matcher.quoteReplacement(style.apply(bytes)));
    }
    slot.appendTail(text);
    return new Written(text.toString(), sizes);
  }

  private static Optional<Quantity> read(Form form, String text, String slot) {
    return Producers.read(text).messages().stream()
        .filter(message -> message.kind() == form.kind())
        .findFirst()
        .flatMap(
            message ->
                message.fields().stream()
                    .filter(field -> field.name().id().equals(slot))
                    .flatMap(field -> field.quantity().stream())
                    .findFirst());
  }

  @Test
  void aSizeWithAUnitIsReadInEveryForm() {
    SplittableRandom random = new SplittableRandom(SEED);
    for (Form form : FORMS) {
      for (Style style : WITH_UNIT) {
        for (int round = 0; round < ROUNDS; round++) {
          Written written = write(form, style.write(), random);
          for (Map.Entry<String, Long> size : written.sizes().entrySet()) {
            String as =
                String.format(
                    "%s, %s, %s %d\n%s",
                    form.kind(), style.name(), size.getKey(), size.getValue(), written.text());
            Optional<Quantity> read = read(form, written.text(), size.getKey());
            assertThat(read).as(as).isPresent();
            check(as, form, style, size.getValue(), read.get());
          }
        }
      }
    }
  }

  private static void check(String as, Form form, Style style, long bytes, Quantity read) {
    boolean isKnownToRound = form.isRoundedDown() || !style.isRoundedDown();
    Quantity within = isKnownToRound ? read : read.roundedDown();
    assertThat(within.mayBe(bytes)).as(as + "\n" + read).isTrue();
    assertThat(read.errorBytes()).as(as).isLessThanOrEqualTo(bytes / 9 + 1);
  }

  @Test
  void aSizeWithoutAUnitIsReadWhereTheProgramWritesBytes() {
    SplittableRandom random = new SplittableRandom(SEED);
    for (Form form : FORMS) {
      for (int round = 0; round < ROUNDS; round++) {
        Written written = write(form, BARE.write(), random);
        for (Map.Entry<String, Long> size : written.sizes().entrySet()) {
          Optional<Quantity> read = read(form, written.text(), size.getKey());
          assertThat(read)
              .as(size.getKey() + "\n" + written.text())
              .isEqualTo(
                  form.isBare() ? Optional.of(Quantity.exact(size.getValue())) : Optional.empty());
        }
      }
    }
  }

  @Test
  void whatIsNoSizeIsNotRead() {
    for (Form form : FORMS) {
      for (String none : NONE) {
        Written written = write(form, _ -> none, new SplittableRandom(SEED));
        List<String> read = new ArrayList<>();
        for (String slot : written.sizes().keySet()) {
          read(form, written.text(), slot).ifPresent(size -> read.add(slot + " " + size));
        }
        assertThat(read).as(written.text()).isEmpty();
      }
    }
  }
}
