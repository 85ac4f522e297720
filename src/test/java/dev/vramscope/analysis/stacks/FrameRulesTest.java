package dev.vramscope.analysis.stacks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vramscope.analysis.stacks.FrameRules.Category;
import dev.vramscope.model.Frame;
import dev.vramscope.model.StackTable;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FrameRulesTest {
  private static final Frame MALLOC =
      new Frame("c10::cuda::CUDACachingAllocator::Native::malloc(unsigned long)", "??", 0);
  private static final Frame LINEAR =
      new Frame("forward", "/venv/lib/python3.12/site-packages/torch/nn/modules/linear.py", 125);
  private static final Frame BACKWARD =
      new Frame("torch::autograd::generated::MmBackward0::apply()", "Functions.cpp", 0);
  private static final Frame THREAD = new Frame("start_thread", "??", 0);
  private static final Frame MODEL = new Frame("forward", "/home/me/project/model.py", 42);
  private static final Frame TRAIN = new Frame("train", "/home/me/project/train.py", 7);

  @ParameterizedTest
  @CsvSource({
    "USER, train, /home/me/train.py",
    "USER, step, C:\\Users\\me\\train.py",
    "USER, <module>, /scratch/ipykernel_123/99.py",
    "PACKAGE, forward, /venv/lib/python3.12/site-packages/torch/nn/functional.py",
    "PACKAGE, forward, D:\\work\\.venv\\Lib\\site-packages\\einops\\einops.py",
    "PACKAGE, call, /scratch/torchinductor_me/xy/cabc.py",
    "PACKAGE, forward, <eval_with_key>.5",
    "RUNTIME, run, /usr/lib/python3.11/threading.py",
    "RUNTIME, _call, <frozen runpy>",
    "PACKAGE, at::empty(), ??",
    "PACKAGE, void at::native::gpu_reduce_kernel<float>(), ??",
    "RUNTIME, std::format::at::go(), ??",
    "RUNTIME, _PyEval_EvalFrameDefault, ''",
    "RUNTIME, execute_native_thread_routine, thread48.o",
    "RUNTIME, __libc_start_main_alias_2, ''",
    "RUNTIME, THPVariable_add, python_variable_methods.cpp",
    "RUNTIME, function_code, /usr/local/src/conda/python-3.12.3/Objects/call.c",
  })
  void classifiesFramesByKindOfCode(FrameKind expected, String name, String file) {
    assertThat(FrameRules.standard().kind(new Frame(name, file, 1))).isEqualTo(expected);
  }

  @Test
  void siteIsTheInnermostFrameOfUserCode() {
    StackTable.Builder builder = new StackTable.Builder();
    int whole = builder.stack(List.of(MALLOC, LINEAR, MODEL, TRAIN));
    int withoutUser = builder.stack(List.of(MALLOC, LINEAR));
    int onlyRuntime = builder.stack(List.of(MALLOC, BACKWARD, THREAD));
    int onlyDispatch = builder.stack(List.of(MALLOC));
    StackTable stacks = builder.build();
    StackClasses classes = FrameRules.standard().classify(stacks);
    assertThat(stacks.frame(classes.siteOf(whole))).isEqualTo(MODEL);
    assertThat(stacks.frame(classes.siteOf(withoutUser))).isEqualTo(LINEAR);
    assertThat(stacks.frame(classes.siteOf(onlyRuntime))).isEqualTo(BACKWARD);
    assertThat(stacks.frame(classes.siteOf(onlyDispatch))).isEqualTo(MALLOC);
    assertThat(classes.siteOf(StackTable.NONE)).isEqualTo(StackTable.NONE);
  }

  @Test
  void stackCaptureFramesAreTheLastChoiceOfASite() {
    Frame unwind = new Frame("torch::unwind::unwind()", "unwind.cpp", 0);
    Frame gather = new Frame("torch::CapturedTraceback::gather(bool, bool, bool)", "??", 0);
    Frame malloc =
        new Frame("c10::cuda::CUDACachingAllocator::Native::DeviceCachingAllocator::malloc", "", 0);
    Frame empty = new Frame("at::detail::empty_cuda(c10::ArrayRef<long>)", "??", 0);
    Frame clone = new Frame("at::native::clone(at::Tensor const&)", "??", 0);
    StackTable.Builder builder = new StackTable.Builder();
    int dispatched = builder.stack(List.of(unwind, gather, malloc, empty, THREAD));
    int library = builder.stack(List.of(unwind, gather, malloc, empty, clone, BACKWARD, THREAD));
    int python = builder.stack(List.of(unwind, gather, malloc, clone, LINEAR));
    StackTable stacks = builder.build();
    StackClasses classes = FrameRules.standard().classify(stacks);
    assertThat(stacks.frame(classes.siteOf(dispatched))).isEqualTo(empty);
    assertThat(stacks.frame(classes.siteOf(library))).isEqualTo(clone);
    assertThat(stacks.frame(classes.siteOf(python))).isEqualTo(LINEAR);
  }

  @Test
  void innermostMatchingFrameDeterminesTheCategory() {
    StackTable.Builder builder = new StackTable.Builder();
    Frame adam = new Frame("step", "/venv/lib/python3.12/site-packages/torch/optim/adamw.py", 9);
    int optimizer = builder.stack(List.of(MALLOC, adam, TRAIN));
    int activation = builder.stack(List.of(MALLOC, LINEAR, MODEL, TRAIN));
    int unknown = builder.stack(List.of(MALLOC, TRAIN));
    StackClasses classes = FrameRules.standard().classify(builder.build());
    assertThat(classes.category(optimizer)).isEqualTo(Category.OPTIMIZER);
    assertThat(classes.category(activation)).isEqualTo(Category.ACTIVATIONS);
    assertThat(classes.category(unknown)).isEqualTo(Category.UNKNOWN);
    assertThat(classes.category(StackTable.NONE)).isEqualTo(Category.UNKNOWN);
  }

  @Test
  void firstMatchingRuleApplies() {
    FrameRules rules =
        FrameRules.of(
            List.of("# a comment", "", "user file contains /a/", "package file ends .py"));
    assertThat(rules.kind(new Frame("f", "/a/x.py", 1))).isEqualTo(FrameKind.USER);
    assertThat(rules.kind(new Frame("f", "/b/x.py", 1))).isEqualTo(FrameKind.PACKAGE);
  }

  @Test
  void rejectsAnInvalidRuleAndQuotesIt() {
    assertThatThrownBy(() -> FrameRules.of(List.of("user file contains")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("file contains");
    assertThatThrownBy(() -> FrameRules.of(List.of("user colour contains x")))
        .hasMessageContaining("colour");
  }
}
