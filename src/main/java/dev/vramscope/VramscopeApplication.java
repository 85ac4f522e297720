package dev.vramscope;

import dev.vramscope.cli.CommandLine;
import java.util.OptionalInt;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Starts the service, or runs a command if the first argument is one. */
@SpringBootApplication
public class VramscopeApplication {
  public static void main(String[] arguments) {
    OptionalInt exitCode = CommandLine.ofProcess().run(arguments);
    if (exitCode.isPresent()) {
      System.exit(exitCode.getAsInt());
    }
    CarrierThreads.prepare();
    SpringApplication service = new SpringApplication(VramscopeApplication.class);
    try {
      service.run(CommandLine.serviceArguments(arguments));
    } catch (RuntimeException reported) { // by Spring, or by StartFailureReporter
      System.exit(CommandLine.exitCode(reported));
    }
  }
}
