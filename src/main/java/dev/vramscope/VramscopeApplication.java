package dev.vramscope;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Starts the service. */
@SpringBootApplication
public class VramscopeApplication {
  public static void main(String[] arguments) {
    SpringApplication.run(VramscopeApplication.class, arguments);
  }
}
