package dev.vramscope.cli.gpu;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Checks that the service finds the driver and the device. */
record DriverCheck(ServiceClient service, String device) implements Check {
  @Override
  public String name() {
    return "driver";
  }

  @Override
  public CheckOutcome run() throws IOException, InterruptedException {
    JsonNode devices = service.get("/api/v1/devices");
    JsonNode driver = devices.get("driver");
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("state", driver.get("state").asString());
    figures.put("emulated", driver.path("emulated").asBoolean());
    figures.put("cuda_version", driver.path("version").asString(""));
    for (JsonNode gpu : devices.get("gpus")) {
      String name = gpu.get("device").asString();
      figures.put(name, gpu.get("name").asString());
      figures.put(name + "_bytes", gpu.get("bytes").asLong());
      figures.put(name + "_compute_capability", gpu.get("computeCapability").asString());
    }
    return CheckOutcome.passedIf(
        figures.containsKey(device), driver.get("text").asString(), figures);
  }
}
