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
    SpringApplication.run(VramscopeApplication.class, CommandLine.serviceArguments(arguments));
  }
}
