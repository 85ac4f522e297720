package dev.vramscope.format.torch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.vramscope.TestData;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.FormatException.Reason;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.TraceAction;
import dev.vramscope.model.finding.Finding;
import java.io.BufferedInputStream;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Hostile and malformed files; INDEX.md documents the expected result of each. */
class HostileFilesTest {
  /** Only turns a hang into a failure. */
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  @ParameterizedTest
  @CsvSource({
    "h01_global_reduce_os_system.pickle, GLOBAL, 0",
    "h02_stack_global_builtins_eval.pickle, STACK_GLOBAL, 18",
    "h03_newobj_build.pickle, STACK_GLOBAL, 21",
    "h04_inst.pickle, STRING, 1",
    "h06_ext1_ext2_ext4.pickle, EXT1, 3",
    "h07_persid.pickle, PERSID, 0",
    "h08_binpersid.pickle, BINPERSID, 11",
    "h10_global_inside_valid_snapshot.pickle, STACK_GLOBAL, 58",
    "h11_proto5_buffers.pickle, NEXT_BUFFER, 3",
    "h27_binbytes8_len_2e40.pickle, BINBYTES8, 2",
    "h31_int_text_1M_digits.pickle, INT, 0",
  })
  void rejectsForbiddenOpcodeWithNameAndOffset(String name, String opcode, long offset) {
    FormatException rejected = rejection(name);
    assertThat(rejected.reason()).isEqualTo(Reason.FORBIDDEN_OPCODE);
    assertThat(rejected.what()).contains("opcode " + opcode + " (0x");
    assertThat(rejected.where()).isEqualTo("byte " + offset);
  }

  @ParameterizedTest
  @CsvSource({
    "h22_deep_tuple_1M.pickle, MALFORMED, nested deeper than 16, byte 19",
    "h23_marks_5M.pickle, MALFORMED, nested deeper than 16, byte 18",
    "h24_cycle.pickle, MALFORMED, found a list, 'segments[0], byte 6'",
    "h25_binunicode8_len_2e63.pickle, TOO_LARGE, 9223372036854775807 bytes, byte 2",
    "h28_long4_negative.pickle, MALFORMED, an integer of -1 bytes, byte 2",
    "h29_long4_1MB.pickle, MALFORMED, an integer of 1048576 bytes, byte 2",
    "h30_long1_255.pickle, MALFORMED, an integer of 255 bytes, byte 2",
    "h32_frame_len_lies.pickle, NOT_A_SNAPSHOT, a dict without segments, top level",
    "h34_get_missing_memo.pickle, MALFORMED, memo entry 1337, byte 2",
    "h35_truncated_half.pickle, TRUNCATED, the file ends, byte 1252735",
    "h37_no_stop.pickle, TRUNCATED, where STOP was expected, byte 16747",
    "h41_stack_underflow.pickle, MALFORMED, SETITEMS has no MARK, byte 2",
    "h42_odd_setitems.pickle, MALFORMED, a key without a value, byte 14",
    "h44_unknown_opcode.pickle, MALFORMED, 0xFF is not a pickle opcode, byte 2",
    "h45_proto_99.pickle, MALFORMED, protocol 99, byte 0",
    "h48_empty.pickle, TRUNCATED, the file is empty, byte 0",
    "h49_lfs_pointer.pickle, NOT_A_SNAPSHOT, a Git LFS pointer, byte 0",
    "h50_html_login_page.pickle, NOT_A_SNAPSHOT, an HTML or XML page, byte 0",
    "h51_torch_save_zip.pt, NOT_A_SNAPSHOT, a zip archive, byte 0",
    "h52_negative_size.pickle, MALFORMED, -1 is negative, 'segments[0].blocks[0].size, byte 293'",
    "h54_address_65bit.pickle, MALFORMED, outside the 64-bit range, byte 51",
    "h55_address_u64_max.pickle, MALFORMED, exceeds the address space, 'segments[0].address, byte"
        + " 339'",
    "h59_wrong_types.pickle, MALFORMED, 'expected a list of segments, found a dict',"
        + " 'snapshot.segments, byte 82'",
    "h64_bool_and_none_values.pickle, MALFORMED, found None, 'segments[0].address, byte 76'",
  })
  void rejectsMalformedFileWithLocation(String name, Reason reason, String what, String where) {
    FormatException rejected = rejection(name);
    assertThat(rejected.reason()).isEqualTo(reason);
    assertThat(rejected.what()).contains(what);
    assertThat(rejected.where()).isEqualTo(where);
    assertThat(rejected.next()).isNotBlank();
  }

  @Test
  void rejectsStringOf300MebibytesFromGzipBomb() throws Exception {
    FormatException rejected;
    try (InputStream in =
        new GZIPInputStream(Files.newInputStream(hostile("h17_gzip_bomb_valid_pickle.gz")))) {
      rejected =
          catchThrowableOfType(
              FormatException.class, () -> TorchPickleReader.read(in, SampleSnapshots.LIMITS));
    }
    assertThat(rejected.reason()).isEqualTo(Reason.TOO_LARGE);
    assertThat(rejected.what()).contains("a string of 314572800 bytes");
  }

  @Test
  void rejectsGzipBombOfZeroBytesAtFirstByte() throws Exception {
    try (InputStream in =
        new GZIPInputStream(Files.newInputStream(hostile("h15_gzip_bomb_1GB.pickle.gz")))) {
      FormatException rejected =
          catchThrowableOfType(
              FormatException.class, () -> TorchPickleReader.read(in, SampleSnapshots.LIMITS));
      assertThat(rejected.reason()).isEqualTo(Reason.NOT_A_SNAPSHOT);
    }
  }

  @Test
  void storesStackSharedBy50000EventsOnce() throws Exception {
    Snapshot snapshot = read("h13_shared_stack_x50000.pickle");
    assertThat(snapshot.devices().getFirst().trace().size()).isEqualTo(50_001);
    assertThat(snapshot.stacks().nodeCount()).isEqualTo(1_002);
    assertThat(snapshot.stacks().depth(snapshot.devices().getFirst().trace().stack(40_000)))
        .isEqualTo(1_001);
    assertThat(snapshot.findings()).extracting(Finding::code).contains("stacks-cut");
  }

  @Test
  void trailingDataIsFindingAndIsIgnored() throws Exception {
    assertThat(read("h38_nul_padding_after_stop.pickle").findings()).isEmpty();
    for (String name : List.of("h39_trailing_garbage.pickle", "h40_two_pickles.pickle")) {
      assertThat(read(name).findings()).extracting(Finding::code).contains("trailing-bytes");
      assertThat(read(name).devices().getFirst().trace().size()).isEqualTo(33);
    }
  }

  @Test
  void stringsAreNeverInterpreted() throws Exception {
    Snapshot xss = read("h56_xss_strings.pickle");
    assertThat(xss.devices().getFirst().trace().otherActions().of(0))
        .isEqualTo("alloc<script>alert(1)</script>");
    assertThat(xss.stacks().frames().getFirst().file())
        .isEqualTo("\"><svg onload=alert(1)>\0\u001b[31m\r\nX-Evil: 1");
    assertThat(read("h57_invalid_utf8.pickle").devices()).isEmpty();
  }

  @Test
  void acceptsUnusualValidFiles() throws Exception {
    assertThat(
            read("h60_doc_state_name.pickle")
                .devices()
                .getFirst()
                .segments()
                .getFirst()
                .pendingFreeBytes())
        .isEqualTo(512);
    Snapshot actions = read("h61_unknown_action.pickle");
    assertThat(actions.devices().getFirst().trace().action(0)).isEqualTo(TraceAction.USER_DEFINED);
    assertThat(actions.devices().getFirst().trace().action(1)).isEqualTo(TraceAction.ANNOTATE);
    assertThat(read("h62_float_nan.pickle").settings().orElseThrow().values())
        .containsEntry("garbage_collection_threshold", "NaN")
        .containsEntry("x", "Infinity");
  }

  @TestFactory
  Stream<DynamicTest> everyReaderAcceptsOrRejectsEveryFile() {
    return TestData.files("hostile").stream()
        .filter(file -> file.getFileName().toString().startsWith("h"))
        .map(
            file ->
                DynamicTest.dynamicTest(
                    file.getFileName().toString(),
                    () -> assertTimeoutPreemptively(TIMEOUT, () -> tryAllReaders(file))));
  }

  private static void tryAllReaders(Path file) throws Exception {
    ReadLimits limits = ReadLimits.forHeap(512L << 20);
    for (Reader reader :
        List.<Reader>of(TorchPickleReader::read, TorchJsonReader::read, TorchHtmlReader::read)) {
      try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
        assertThat(reader.read(in, limits)).isNotNull();
      } catch (FormatException rejected) {
        assertThat(rejected.what()).isNotBlank();
        assertThat(rejected.next()).isNotBlank();
      }
    }
  }

  private interface Reader {
    Snapshot read(InputStream in, ReadLimits limits) throws Exception;
  }

  private static Path hostile(String name) {
    return TestData.file("hostile/" + name);
  }

  private static Snapshot read(String name) throws Exception {
    return SampleSnapshots.read(Files.readAllBytes(hostile(name)));
  }

  private static FormatException rejection(String name) {
    Path file = hostile(name);
    return assertTimeoutPreemptively(
        TIMEOUT,
        () ->
            catchThrowableOfType(
                FormatException.class, () -> SampleSnapshots.read(Files.readAllBytes(file))));
  }
}
