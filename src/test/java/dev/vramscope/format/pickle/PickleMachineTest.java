package dev.vramscope.format.pickle;

import static dev.vramscope.format.pickle.PickleWriter.raw;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.FormatException.Reason;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.format.pickle.PickleWriter.Tuple;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PickleMachineTest {
  private static final ReadLimits LIMITS = ReadLimits.forHeap(512L << 20);

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 5})
  void readsDataOfEveryProtocol(int protocol) throws Exception {
    assertThat(run(PickleWriter.python(sample(), protocol))).isEqualTo(expected());
    assertThat(run(PickleWriter.python(sample(), protocol, 1))).isEqualTo(expected());
  }

  @Test
  void readsDataOfCppPickler() throws Exception {
    assertThat(run(PickleWriter.cpp(sample()))).isEqualTo(expected());
  }

  private static Object sample() {
    String shared = "shared";
    return List.of(
        Map.of("key", List.of(shared, shared, List.of())),
        List.of(0, 255, 256, 65535, 65536, -1, Integer.MIN_VALUE),
        List.of(1L << 40, -(1L << 40), Long.MAX_VALUE, Long.MIN_VALUE),
        new BigInteger("18446744073709551615"),
        List.of(true, false, 2.5, Double.NaN),
        List.of(Tuple.of(1, 2), Tuple.of(1L << 40, 7), Tuple.of(), Tuple.of(Tuple.of("x"))),
        "x".repeat(300),
        "grüße \uD83D\uDE00 \uD800");
  }

  private static Object expected() {
    return List.of(
        Map.of("key", List.of("shared", "shared", List.of())),
        List.of(0L, 255L, 256L, 65535L, 65536L, -1L, (long) Integer.MIN_VALUE),
        List.of(1L << 40, -(1L << 40), Long.MAX_VALUE, Long.MIN_VALUE),
        "18446744073709551615",
        List.of(true, false, 2.5, Double.NaN),
        List.of("(1, 2)", "(" + (1L << 40) + ", 7)", "tuple of depth 0", "tuple of depth 2"),
        "x".repeat(300),
        "grüße \uD83D\uDE00 \uD800");
  }

  @Test
  void readsIntegersOfAnyEncodedLength() throws Exception {
    assertThat(run(raw(0x80, 4, 0x8A, 0, '.'))).isEqualTo(0L);
    assertThat(run(raw(0x80, 4, 0x8A, 1, 0xFF, '.'))).isEqualTo(-1L);
    assertThat(run(raw(0x80, 4, 0x8A, 3, 1, 0, 0, '.'))).isEqualTo(1L);
    assertThat(run(raw(0x80, 4, 0x8B, 2, 0, 0, 0, 0, 1, '.'))).isEqualTo(256L);
    assertThat(run(raw(0x80, 4, 0x8A, 9, "\377\377\377\377\377\377\377\377", 0, '.')))
        .isEqualTo("18446744073709551615");
  }

  @Test
  void readsStringLongerThanWindow() throws Exception {
    String text = "0123456789".repeat(50_000);
    assertThat(run(PickleWriter.python(List.of(text, 7), 4))).isEqualTo(List.of(text, 7L));
  }

  @Test
  void readsStreamByteByByte() throws Exception {
    byte[] pickle = PickleWriter.python(sample(), 4);
    InputStream slowStream =
        new FilterInputStream(new ByteArrayInputStream(pickle)) {
          @Override
          public int read(byte[] target, int offset, int length) throws IOException {
            return super.read(target, offset, Math.min(length, 1));
          }
        };
    PickleValues values = new PickleValues(new PickleTexts(1 << 20, List.of()));
    PlainContainers containers = new PlainContainers(values);
    long root = new PickleMachine(slowStream, LIMITS, values, containers).run();
    assertThat(containers.value(root)).isEqualTo(expected());
  }

  @Test
  void propagatesIoExceptionOfStream() {
    InputStream broken =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw new IOException("connection reset");
          }

          @Override
          public int read(byte[] target, int offset, int length) throws IOException {
            return read();
          }
        };
    PickleValues values = new PickleValues(new PickleTexts(1 << 20, List.of()));
    PickleMachine machine = new PickleMachine(broken, LIMITS, values, new PlainContainers(values));
    assertThat(catchThrowableOfType(IOException.class, machine::run))
        .hasMessage("connection reset");
  }

  @Test
  void rejectsForbiddenOpcodesWithNameAndOffset() {
    for (Opcode opcode : Opcode.values()) {
      if (!opcode.isAllowed()) {
        FormatException rejected = rejection(raw(0x80, 4, 'N', opcode.code(), 0, 0, 0, 0, '.'));
        assertThat(rejected.reason()).isEqualTo(Reason.FORBIDDEN_OPCODE);
        assertThat(rejected.what()).contains("opcode " + opcode + " (0x");
        assertThat(rejected.where()).isEqualTo("byte 3");
      }
    }
  }

  @Test
  void rejectsEveryByteThatIsNotAllowedOpcode() {
    for (int code = 0; code < 256; code++) {
      if (!Opcode.isAllowed(code)) {
        Reason expected = Opcode.exists(code) ? Reason.FORBIDDEN_OPCODE : Reason.MALFORMED;
        assertThat(rejection(raw(0x80, 4, code)).reason()).isEqualTo(expected);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "u, SETITEMS has no MARK",
    "e, APPENDS has no MARK",
    "t, TUPLE has no MARK",
    "a, APPEND needs 2 values",
    "s, SETITEM needs 3 values",
    "., STOP leaves 0 values",
    "(u, SETITEMS has no container below",
    "](u, SETITEMS is used on a list",
    "}(e, APPENDS is used on a dict",
    "}(Nu, a key without a value",
    "](, the file ends where STOP was expected",
    "](., STOP leaves 1 values",
    "NN., STOP leaves 2 values",
  })
  void rejectsInvalidStack(String opcodes, String message) {
    FormatException rejected = rejection(raw(0x80, 2, opcodes));
    assertThat(rejected.what()).contains(message);
    assertThat(rejected.where()).startsWith("byte ");
  }

  @Test
  void rejectsUndefinedMemoEntries() {
    assertThat(rejection(raw(0x80, 2, 'h', 5, '.')).what())
        .contains("memo entry 5 is read but was never stored");
    assertThat(rejection(raw(0x80, 2, 'q', 1, '.')).what()).contains("BINPUT needs 1 values");
  }

  @Test
  void rejectsAccessBelowMark() {
    // The list is below the mark, so APPEND must not use it.
    assertThat(rejection(raw(0x80, 2, "](Na.")).what()).contains("APPEND needs 2 values");
  }

  @Test
  void memoNumberIsAtMostByteOffset() throws Exception {
    assertThat(run(raw(0x80, 2, ']', 'q', 3, '.'))).isEqualTo(List.of());
    assertThat(rejection(raw(0x80, 2, ']', 'q', 3, 'h', 1, '.')).what())
        .contains("memo entry 1 is read but was never stored");
    FormatException rejected = rejection(raw(0x80, 2, ']', 'r', 0xFF, 0xFF, 0xFF, 0x7F, '.'));
    assertThat(rejected.what()).contains("memo entry 2147483647");
    assertThat(rejection(raw(0x80, 2, ']', 'r', 0xFF, 0xFF, 0xFF, 0xFF, '.')).what())
        .contains("memo entry 4294967295");
  }

  @Test
  void repeatsBatchesOfMemoReads() throws Exception {
    // The number 101 is the byte 'e', which is APPENDS where an opcode is expected.
    List<Object> texts = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      texts.add("text " + i);
    }
    List<Object> lists = new ArrayList<>(texts);
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 2_000; i++) {
      int from = random.nextInt(80, 120);
      lists.add(new ArrayList<>(texts.subList(from, random.nextInt(from + 2, from + 40))));
    }
    PlainContainers containers =
        new PlainContainers(new PickleValues(new PickleTexts(1 << 20, List.of())));
    assertThat(run(PickleWriter.python(lists, 4), containers)).isEqualTo(lists);
    assertThat(containers.repeats()).isGreaterThan(200);
  }

  @Test
  void doesNotSearchFilesWithoutRepeatedBatches() throws Exception {
    List<Object> texts = new ArrayList<>();
    for (int i = 0; i < 250; i++) {
      texts.add("text " + i);
    }
    List<Object> lists = new ArrayList<>(texts);
    for (int i = 0; i < 60_000; i++) {
      lists.add(new ArrayList<>(List.of(texts.get(i / 250), texts.get(i % 250))));
    }
    lists.addAll(lists.reversed().subList(0, 100).stream().map(PickleMachineTest::copy).toList());
    PlainContainers containers =
        new PlainContainers(new PickleValues(new PickleTexts(1 << 20, List.of())));
    assertThat(run(PickleWriter.python(lists, 4), containers)).isEqualTo(lists);
    assertThat(containers.repeats()).isZero();
  }

  private static Object copy(Object list) {
    return new ArrayList<>((List<?>) list);
  }

  @Test
  void batchOfReplacedMemoEntryIsNotRepeated() throws Exception {
    byte[] pickle =
        raw(
            0x80, 4, "](K", 1, 'q', 1, "](h", 1, 'h', 1, "e](h", 1, 'h', 1, "eK", 2, 'q', 1, "](h",
            1, 'h', 1, "e](h", 1, 'h', 1, "ee.");
    assertThat(run(pickle))
        .isEqualTo(
            List.of(1L, List.of(1L, 1L), List.of(1L, 1L), 2L, List.of(2L, 2L), List.of(2L, 2L)));
  }

  @Test
  void repeatedBatchIsNotAddedToListBelowMark() {
    byte[] pickle = raw(0x80, 4, "](K", 1, 'q', 1, "](h", 1, 'h', 1, "e]((h", 1, 'h', 1, "eee.");
    assertThat(rejection(pickle).what()).contains("APPENDS has no container below");
  }

  @Test
  void repeatedListMayGrow() throws Exception {
    byte[] pickle =
        raw(0x80, 4, "](K", 1, 0x94, "](h", 0, 'h', 0, "e](h", 0, 'h', 0, "e(h", 0, 'h', 0, "ee.");
    assertThat(run(pickle)).isEqualTo(List.of(1L, List.of(1L, 1L), List.of(1L, 1L, 1L, 1L)));
  }

  @Test
  void countsTrailingBytesExceptNul() throws Exception {
    PickleValues values = new PickleValues(new PickleTexts(1 << 20, List.of()));
    PickleMachine machine =
        new PickleMachine(
            new ByteArrayInputStream(raw(0x80, 4, "N.", 0, 0, "c", 0, "os")),
            LIMITS,
            values,
            new PlainContainers(values));
    machine.run();
    assertThat(machine.countTrailingBytes()).isEqualTo(3);
  }

  private static Object run(byte[] pickle) throws Exception {
    PickleValues values = new PickleValues(new PickleTexts(1 << 20, List.of()));
    return run(pickle, new PlainContainers(values));
  }

  private static Object run(byte[] pickle, PlainContainers containers) throws Exception {
    PickleMachine machine =
        new PickleMachine(
            new ByteArrayInputStream(pickle), LIMITS, containers.values(), containers);
    return containers.value(machine.run());
  }

  private static FormatException rejection(byte[] pickle) {
    return catchThrowableOfType(FormatException.class, () -> run(pickle));
  }
}
