package dev.vramscope.device.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Our declarations of the driver's interface, compared by a C++ compiler with NVIDIA's headers:
 * signatures, layouts and constants that the calls of this package use, and those of the emulated
 * driver. Tests without a header or compiler are skipped.
 */
class CudaHeadersTest {
  private static final Path SOURCES = Path.of("src/main/java/dev/vramscope/device/cuda");
  private static final Path EMULATOR = Path.of("native/emulator").toAbsolutePath();
  private static final int ORDINAL = 0x01020304;

  /** Compares two function types by what matters to a caller: sizes and pointers. */
  private static final String ABI =
      """
      #include <stddef.h>
      #include <stdint.h>
      #include <stdio.h>
      #include <type_traits>
      #include <utility>

      template <class A, class B> constexpr bool same_pointee() {
        if constexpr (std::is_void_v<A> || std::is_void_v<B> || std::is_function_v<A> || std::is_function_v<B>) return true;
        else if constexpr (!requires { sizeof(A); } || !requires { sizeof(B); }) return true;
        else if constexpr (std::is_pointer_v<A> && std::is_pointer_v<B>) return true;
        else return sizeof(A) == sizeof(B);
      }
      template <class A, class B> constexpr bool same() {
        if constexpr (sizeof(A) != sizeof(B) || std::is_floating_point_v<A> != std::is_floating_point_v<B>) return false;
        else if constexpr (std::is_pointer_v<A> && std::is_pointer_v<B>)
          return same_pointee<std::remove_pointer_t<A>, std::remove_pointer_t<B>>();
        else return std::is_pointer_v<A> == std::is_pointer_v<B>;
      }
      template <class R, class... A, class S, class... B> constexpr bool same_abi(R (*)(A...), S (*)(B...)) {
        if constexpr (sizeof...(A) != sizeof...(B)) return false;
        else return same<R, S>() && (same<A, B>() && ...);
      }

      /* A Java signature: an 'A' is a pointer, 'L' 8 bytes (a pointer, too), 'I' 4 bytes. */
      template <class T> constexpr bool is_kind(char kind) {
        return kind == 'A' ? std::is_pointer_v<T> : kind == 'L' ? sizeof(T) == 8 && !std::is_floating_point_v<T>
             : sizeof(T) == 4 && !std::is_floating_point_v<T>;
      }
      template <class R, class... A> constexpr bool is_signature(R (*)(A...), const char *kinds) {
        size_t i = 0;
        bool kind_by_kind = is_kind<R>(*kinds) && ((kinds[++i] != 0 && is_kind<A>(kinds[i])) && ...);
        return kind_by_kind && kinds[i + 1] == 0;
      }

      template <class T> void print(const char *name, const T &value) {
        printf("%s=", name);
        for (size_t i = 0; i < sizeof value; i++) printf("%02x", ((const unsigned char *)&value)[i]);
        printf("\\n");
      }
      """;

  @TempDir
  @SuppressWarnings("NullAway.Init")
  Path folder;

  @Test
  void driverHasTheCalledSignaturesLayoutsAndConstants() throws Exception {
    NvidiaTools tools = NvidiaTools.withHeader("cuda.h");
    List<String> lines = new ArrayList<>(List.of("#include <cuda.h>", ABI));
    signatures(DirectCalls.SIGNATURES, lines);
    lines.add(check("is_signature(&cuDriverGetVersion, \"IA\")", "cuDriverGetVersion"));
    for (String function : DriverLibrary.FUNCTIONS) {
      lines.add(check("sizeof(&" + function + ") == 8", function));
    }
    jcudaConstants(lines);
    lines.add("int main() {");
    lines.add("  CUmemAllocationProp p = {};");
    lines.add("  p.type = CU_MEM_ALLOCATION_TYPE_PINNED;");
    lines.add("  p.location.type = CU_MEM_LOCATION_TYPE_DEVICE;");
    lines.add("  p.location.id = " + ORDINAL + ";");
    lines.add("  print(\"properties\", p);");
    lines.add("  CUmemAccessDesc a = {};");
    lines.add("  a.location = p.location;");
    lines.add("  a.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;");
    lines.add("  print(\"access\", a);");
    lines.add("}");

    Map<String, String> printed = tools.compileAndRun(folder, lines);

    try (Arena arena = Arena.ofConfined()) {
      assertThat(hex(DirectCalls.propertiesOfDevice(arena, ORDINAL)))
          .isEqualTo(printed.get("properties"));
      assertThat(hex(DirectCalls.accessByDevice(arena, ORDINAL))).isEqualTo(printed.get("access"));
    }
  }

  @Test
  void nvmlHasTheCalledSignaturesLayoutsAndConstants() throws Exception {
    NvidiaTools tools = NvidiaTools.withHeader("nvml.h");
    List<String> lines = new ArrayList<>(List.of("#include <nvml.h>", ABI));
    signatures(NvmlProcesses.SIGNATURES, lines);
    constant("NVML_SUCCESS", NvmlProcesses.SUCCESS, lines);
    constant("NVML_ERROR_INSUFFICIENT_SIZE", NvmlProcesses.INSUFFICIENT_SIZE, lines);
    constant("NVML_VALUE_NOT_AVAILABLE", NvmlProcesses.UNKNOWN, lines);
    constant("sizeof(nvmlProcessInfo_t)", NvmlProcesses.PROCESS_BYTES, lines);
    constant("offsetof(nvmlProcessInfo_t, pid)", 0, lines);
    constant("sizeof(nvmlProcessInfo_t::pid)", Integer.BYTES, lines);
    constant("offsetof(nvmlProcessInfo_t, usedGpuMemory)", NvmlProcesses.MEMORY_OFFSET, lines);
    constant("sizeof(nvmlProcessInfo_t::usedGpuMemory)", Long.BYTES, lines);
    lines.add("int main() {}");
    tools.compileAndRun(folder, lines);
  }

  /** The definitions of the emulated driver, and its results, layouts and constants. */
  @Test
  void emulatedDriverHasTheInterfaceOfTheDriver() throws Exception {
    NvidiaTools tools = NvidiaTools.withHeader("cuda.h");
    List<String> lines = new ArrayList<>(List.of("#include <cuda.h>", ABI));
    lines.add("#define _Static_assert static_assert");
    lines.add("#undef CU_STREAM_LEGACY");
    lines.add("namespace emulated {");
    lines.add("#include \"" + EMULATOR.resolve("driver.h") + "\"");
    List<String> definitions = definitions(tools);
    assertThat(definitions).hasSizeGreaterThan(60);
    lines.addAll(definitions);
    lines.add("}");
    for (String definition : definitions) {
      String function = definition.replaceFirst("^.*?\\b(cu[A-Z]\\w*) ?\\(.*$", "$1");
      lines.add(check("same_abi(&emulated::" + function + ", &::" + function + ")", function));
    }
    for (String type :
        List.of("CUmemLocation", "CUmemAllocationProp", "CUmemAccessDesc", "CUuuid")) {
      constant("sizeof(emulated::" + type + ") - sizeof(" + type + ")", 0, lines);
    }
    for (String field :
        List.of(
            "CUmemLocation, type",
            "CUmemLocation, id",
            "CUmemAllocationProp, type",
            "CUmemAllocationProp, requestedHandleTypes",
            "CUmemAllocationProp, location",
            "CUmemAllocationProp, win32HandleMetaData",
            "CUmemAllocationProp, allocFlags.compressionType",
            "CUmemAllocationProp, allocFlags.gpuDirectRDMACapable",
            "CUmemAllocationProp, allocFlags.usage",
            "CUmemAccessDesc, location",
            "CUmemAccessDesc, flags")) {
      lines.add(check("offsetof(emulated::" + field + ") == offsetof(" + field + ")", field));
    }
    for (String name : emulatedConstants()) {
      lines.add(check("(long)emulated::" + name + " == (long)" + name, name));
    }
    lines.add(
        check(
            "emulated::CU_EVENT_FLAGS == (CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING"
                + " | CU_EVENT_INTERPROCESS)",
            "CU_EVENT_FLAGS"));
    lines.add(
        check(
            "emulated::CU_MEMHOSTALLOC_FLAGS == (CU_MEMHOSTALLOC_PORTABLE |"
                + " CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_WRITECOMBINED)",
            "CU_MEMHOSTALLOC_FLAGS"));
    lines.add("int main() {}");
    tools.compileAndRun(folder, lines);
  }

  /** Each GPU generation from Turing to Blackwell. */
  @Test
  void ptxAssemblesForEveryArchitecture() throws Exception {
    NvidiaTools tools = NvidiaTools.withCommand("ptxas");
    Path ptx = Path.of("src/main/resources/dev/vramscope/device/cuda/vramscope.ptx");
    List<String> architectures = tools.assemblerTargets();
    assertThat(architectures).contains("sm_75", "sm_80", "sm_90");
    for (String architecture : architectures) {
      Path cubin = folder.resolve(architecture + ".cubin");
      tools.run(folder, "ptxas", "-arch=" + architecture, ptx.toString(), "-o", cubin.toString());
      assertThat(cubin).isNotEmptyFile();
    }
  }

  private static void signatures(Map<String, FunctionDescriptor> functions, List<String> lines) {
    functions.forEach(
        (function, descriptor) -> {
          String kinds =
              Stream.concat(
                      descriptor.returnLayout().stream(), descriptor.argumentLayouts().stream())
                  .map(CudaHeadersTest::kind)
                  .collect(Collectors.joining());
          lines.add(check("is_signature(&" + function + ", \"" + kinds + "\")", function));
        });
  }

  private static String kind(MemoryLayout layout) {
    if (layout instanceof AddressLayout) {
      return "A";
    }
    return layout.equals(ValueLayout.JAVA_LONG) ? "L" : "I";
  }

  private static void constant(String expression, long value, List<String> lines) {
    lines.add(check("(long)(" + expression + ") == " + value, expression + " is " + value));
  }

  private static String check(String condition, String message) {
    return "static_assert(%s, \"%s\");".formatted(condition, message.replace("\"", "'"));
  }

  /** The constants of JCuda that this package uses. */
  private static void jcudaConstants(List<String> lines) throws Exception {
    Pattern use = Pattern.compile("\\b(CUresult|CU\\w+_flags|CUdevice_attribute)\\.(\\w+)\\b");
    TreeSet<String> found = new TreeSet<>();
    try (Stream<Path> files = Files.list(SOURCES)) {
      for (Path file : files.toList()) {
        Matcher uses = use.matcher(Files.readString(file));
        while (uses.find()) {
          if (!uses.group(2).equals("stringFor")) {
            found.add(uses.group(1) + "." + uses.group(2));
          }
        }
      }
    }
    assertThat(found).hasSizeGreaterThan(15);
    for (String name : found) {
      int dot = name.indexOf('.');
      int value =
          Class.forName("jcuda.driver." + name.substring(0, dot))
              .getField(name.substring(dot + 1))
              .getInt(null);
      constant(name.substring(dot + 1), value, lines);
    }
  }

  /** The results of {@code results.def} and the constants of {@code driver.h}, except masks. */
  private static List<String> emulatedConstants() throws IOException {
    List<String> names = new ArrayList<>();
    Matcher results =
        Pattern.compile("(?m)^RESULT\\((\\w+),")
            .matcher(Files.readString(EMULATOR.resolve("results.def")));
    while (results.find()) {
      names.add(results.group(1));
    }
    Matcher constants =
        Pattern.compile("(?m)^ +(CU_\\w+) = ")
            .matcher(Files.readString(EMULATOR.resolve("driver.h")));
    while (constants.find()) {
      if (!constants.group(1).matches("CU_(EVENT|MEMHOST\\w+|CTX)_FLAGS")) {
        names.add(constants.group(1));
      }
    }
    assertThat(names).hasSizeGreaterThan(60);
    return names;
  }

  /**
   * The prototypes of the functions that the emulated driver defines, as the compiler sees them.
   */
  private List<String> definitions(NvidiaTools tools) throws Exception {
    List<String> prototypes = new ArrayList<>();
    try (Stream<Path> files = Files.list(EMULATOR)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".c")).sorted().toList()) {
        Path output = folder.resolve(file.getFileName() + ".prototypes");
        tools.run(
            folder,
            "gcc",
            "-std=c17",
            "-I" + EMULATOR.resolveSibling("include"),
            "-aux-info",
            output.toString(),
            "-c",
            file.toString(),
            "-o",
            "/dev/null");
        Matcher functions =
            Pattern.compile("(?m)^/\\* .*:NF \\*/ extern (CUresult cu[A-Z].*?\\);)")
                .matcher(Files.readString(output));
        while (functions.find()) {
          prototypes.add(functions.group(1));
        }
      }
    }
    return prototypes;
  }

  private static String hex(MemorySegment segment) {
    return HexFormat.of().formatHex(segment.toArray(ValueLayout.JAVA_BYTE));
  }
}
