package dev.vramscope.intake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.xla.XlaFiles;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FormatSnifferTest {
  @ParameterizedTest
  @ValueSource(strings = {"8002", "800495", "8005", "8063"})
  void detectsPickleByProtocolOpcode(String hex) throws FormatException {
    assertEquals(SniffedFormat.PICKLE, FormatSniffer.sniff(HexFormat.of().parseHex(hex)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cos\nsystem\n(S'x'\ntR.",
        "(S'echo'\nios\nsystem\n.",
        "Pstorage-0\n.",
        "I999",
        "I1\n.",
        "(lp0\n",
        "(I1\nt."
      })
  void detectsOldPickleProtocolsForReaderToReject(String text) throws FormatException {
    assertEquals(SniffedFormat.PICKLE, sniff(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"segments\": []}",
        "\uFEFF {\"a\": 1}",
        "\n\t[{\"device\": 0}]",
        "[]",
        "{}",
        "[[[["
      })
  void detectsJsonAfterWhitespaceAndByteOrderMark(String text) throws FormatException {
    assertEquals(SniffedFormat.JSON, sniff(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"<!DOCTYPE html><html>", "\n<HTML>", "<script>const local_files = []"})
  void detectsHtmlByFirstTag(String text) throws FormatException {
    assertEquals(SniffedFormat.HTML, sniff(text));
  }

  @ParameterizedTest
  @CsvSource({
    "'[rank0]: torch.OutOfMemoryError: CUDA out of memory. Tried', out-of-memory message",
    "'Tried to allocate 2 GiB. out of memory', out-of-memory message",
    "'Sum Total of in-use chunks: 1.00GiB', allocator's log",
    "'Process 12 ended', text",
    "'I1126 15:14:58.758048 1093 api.cc:119] GetPjrtApi was found', text",
    "'L2 norm 12.5: out of memory', out-of-memory message",
    "'(pid=1213) torch.OutOfMemoryError: CUDA out of memory', out-of-memory message",
    "'(train_fn pid=7, ip=10.0.0.4) out of memory', out-of-memory message",
    "'(Step 4) loss 2.3', text",
    "'{\"active.all.current\": 3}', memory_stats",
    "'[[1, 2, 3]]', memory timeline of torch.profiler"
  })
  void logsAreTextWithTheirType(String text, String expected) {
    byte[] head = text.getBytes(StandardCharsets.UTF_8);
    assertTrue(rejection(head, FormatException.Reason.TEXT).contains(expected));
  }

  @Test
  void aWordAloneInALineIsNoOldPickle() {
    byte[] head = "Python\nPreparing\nout of memory".getBytes(StandardCharsets.UTF_8);
    assertTrue(rejection(head, FormatException.Reason.TEXT).contains("out-of-memory message"));
  }

  @ParameterizedTest
  @CsvSource({
    "'<html><img src=data:image/png;base64,AA>', picture instead of data",
    "'version https://git-lfs.github.com/spec/v1', Git LFS pointer"
  })
  void rejectsOtherTextWithItsType(String text, String expected) {
    assertTrue(rejection(text.getBytes(StandardCharsets.UTF_8)).contains(expected));
  }

  @Test
  void detectsTracesOfTheProfiler() throws FormatException {
    assertEquals(SniffedFormat.PROFILER_TRACE, sniff("{\"schemaVersion\": 1}"));
    assertEquals(SniffedFormat.PROFILER_TRACE, sniff("{\n  \"traceEvents\": []}"));
  }

  @ParameterizedTest
  @CsvSource({
    "89504e470d0a1a0a, PNG",
    "7f454c4602010100, ELF",
    "fd377a585a0000, xz",
    "120408ffff7f, pprof",
    "000000000000, bytes 00 00 00",
    "1f8b0800, compressed twice",
    "504b0304, compressed twice"
  })
  void rejectsOtherFilesWithTheirType(String hex, String expected) {
    String message = rejection(HexFormat.of().parseHex(hex));
    assertTrue(message.contains(expected), message);
  }

  @Test
  void rejectsEmptyFile() {
    assertTrue(rejection(new byte[0]).contains("the file is empty"));
  }

  @Test
  void detectsProfilesAndDumpsOfXla() throws FormatException {
    assertEquals(
        SniffedFormat.PROFILE,
        FormatSniffer.sniff(new XlaFiles.Profile().add("buffer", "gpu:0", 1, 8).bytes()));
    assertEquals(SniffedFormat.MEMORY_DUMP, FormatSniffer.sniff(XlaFiles.memoryDump()));
    assertEquals(SniffedFormat.BFC_DUMP, sniff(XlaFiles.log()));
    assertEquals(SniffedFormat.BFC_DUMP, sniff("I1126 15:14:58.7 1 a.cc:1] up\n" + XlaFiles.log()));
    assertEquals(SniffedFormat.RMM_LOG, sniff("Thread,Time,Action,Pointer,Size,Stream\n"));
    assertEquals(SniffedFormat.RMM_LOG, sniff("12,14:21:19.998533,allocate,0x30a000000,256,0x2"));
    byte[] text = "\nBINARY".getBytes(StandardCharsets.UTF_8);
    assertTrue(rejection(text, FormatException.Reason.TEXT).contains("text"));
  }

  private static SniffedFormat sniff(String text) throws FormatException {
    return FormatSniffer.sniff(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String rejection(byte[] head) {
    return rejection(head, FormatException.Reason.NOT_A_SNAPSHOT);
  }

  private static String rejection(byte[] head, FormatException.Reason reason) {
    FormatException rejected = assertThrows(FormatException.class, () -> FormatSniffer.sniff(head));
    assertEquals(reason, rejected.reason());
    return String.valueOf(rejected.getMessage());
  }
}
