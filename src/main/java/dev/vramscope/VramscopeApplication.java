package dev.vramscope;

import dev.vramscope.cli.CommandLine;
import dev.vramscope.cli.HeapShortage;
import dev.vramscope.work.HeavyWork;
import java.util.List;
import java.util.OptionalInt;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** Starts the service, or runs a command if the first argument is one. */
@SpringBootApplication
public class VramscopeApplication {
  public static void main(String[] arguments) {
    HeapShortage shortage = HeapShortage.of(List.of(arguments));
    try {
      run(arguments);
    } catch (RuntimeException | Error failure) {
      if (!HeapShortage.isCause(failure)) { // Too little to begin with.
        throw failure;
      }
      shortage.report(System.err);
      System.exit(CommandLine.exitCode(failure));
    }
  }

  private static void run(String[] arguments) {
    OptionalInt exitCode = CommandLine.ofProcess().run(arguments);
    if (exitCode.isPresent()) {
      System.exit(exitCode.getAsInt());
    }
    CarrierThreads.prepare();
    UnusedHeap.giveBack();
    FatalErrors.endProcess(System.err);
    SpringApplication service = new SpringApplication(VramscopeApplication.class);
    try {
      ConfigurableApplicationContext context = service.run(CommandLine.serviceArguments(arguments));
      if (TrainingRun.isWanted()) {
        int port = context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
        System.exit(TrainingRun.run(port));
      }
      WarmUp.begin(context.getBean(HeavyWork.class));
    } catch (RuntimeException reported) { // by Spring, or by StartFailureReporter
      System.exit(CommandLine.exitCode(reported));
    }
  }
}
