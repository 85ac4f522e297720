package dev.vramscope;

import dev.vramscope.cli.CommandLine;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Starts the service, or runs a command if the first argument is one. */
@SpringBootApplication
public class VramscopeApplication {
  public static void main(String[] arguments) {
    if (CommandLine.isCommand(arguments)) {
      System.exit(CommandLine.run(arguments));
    }
    SpringApplication.run(VramscopeApplication.class, arguments);
  }
}
