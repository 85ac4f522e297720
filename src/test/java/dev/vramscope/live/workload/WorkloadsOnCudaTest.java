package dev.vramscope.live.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.vramscope.device.DeviceLostException;
import dev.vramscope.device.cuda.CudaDevice;
import dev.vramscope.device.cuda.CudaEmulator;
import dev.vramscope.recorder.HistorySettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Workloads on the CUDA device over the emulated driver, whose memory is real. */
class WorkloadsOnCudaTest {
  private static final long DEVICE_BYTES = 512 * Bench.MIB;
  private static final int CUDA_ERROR_ILLEGAL_ADDRESS = 700;
  private static final int CUDA_ERROR_NOT_FOUND = 500;

  @TestFactory
  List<DynamicTest> blocksKeepTheirPattern() {
    List<DynamicTest> tests = new ArrayList<>();
    for (Bench.Kind kind : Bench.Kind.values()) {
      for (WorkloadKind work :
          List.of(
              WorkloadKind.TRAINING_VARYING,
              WorkloadKind.CROSS_STREAM,
              WorkloadKind.INPUT_PIPELINE,
              WorkloadKind.INFERENCE_KV_CACHE)) {
        tests.add(
            DynamicTest.dynamicTest(work + " on " + kind, () -> runsWithoutMismatch(kind, work)));
      }
    }
    return tests;
  }

  private static void runsWithoutMismatch(Bench.Kind kind, WorkloadKind work) {
    CudaDevice device = CudaEmulator.ofBytes(DEVICE_BYTES).open();
    try {
      AllWorkloadsTest.runsWithoutMismatch(Bench.of(kind, device, HistorySettings.OFF), work, 3);
    } finally {
      device.close();
    }
  }

  @Test
  void detectsUnrecordedUse() {
    CudaDevice device = CudaEmulator.ofBytes(DEVICE_BYTES).open();
    try {
      Bench bench = Bench.of(Bench.Kind.CACHING, device, HistorySettings.OFF);
      WorkloadProgress progress =
          bench.run(
              AllWorkloadsTest.workload(WorkloadKind.CROSS_STREAM_UNRECORDED),
              WorkloadRequest.of(WorkloadKind.CROSS_STREAM_UNRECORDED, 20).withScale(0.001));
      assertEquals(new WorkloadState.Done(), progress.state());
      assertThat(progress.contents().mismatches()).isPositive();
    } finally {
      device.close();
    }
  }

  @Test
  void runWithoutKernelsReportsPartialChecks() {
    for (boolean hasKernels : new boolean[] {true, false}) {
      CudaEmulator emulator = CudaEmulator.ofBytes(DEVICE_BYTES);
      try (CudaDevice device = emulator.open()) {
        if (!hasKernels) {
          emulator.fail("cuModuleGetFunction", 1, CUDA_ERROR_NOT_FOUND);
        }
        WorkloadRun run =
            Bench.of(Bench.Kind.CACHING, device, HistorySettings.OFF)
                .start(
                    AllWorkloadsTest.workload(WorkloadKind.LEAK),
                    WorkloadRequest.of(WorkloadKind.LEAK, 2).withScale(0.01));
        assertTrue(run.awaitEnd(Duration.ofSeconds(60)));
        assertThat(run.progress().contents().checks()).isPositive();
        assertEquals(!hasKernels, run.partialChecks());
      }
    }
  }

  @Test
  void lostDeviceFailsTheRunAndIsReported() {
    CudaEmulator emulator = CudaEmulator.ofBytes(DEVICE_BYTES);
    CudaDevice device = emulator.open();
    try {
      List<DeviceLostException> losses = new ArrayList<>();
      Bench bench = Bench.of(Bench.Kind.CACHING, device, HistorySettings.OFF).onLoss(losses::add);
      emulator.lose("cuLaunchKernel", 50, CUDA_ERROR_ILLEGAL_ADDRESS);
      WorkloadProgress progress =
          bench.run(
              AllWorkloadsTest.workload(WorkloadKind.TRAINING_FIXED),
              WorkloadRequest.of(WorkloadKind.TRAINING_FIXED, 0).withScale(0.01));
      assertThat(progress.state()).isInstanceOf(WorkloadState.Failed.class);
      assertThat(losses).hasSize(1);
    } finally {
      device.close();
    }
  }
}
