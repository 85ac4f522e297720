package dev.vramscope.cli.gpu;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** That the service finds the driver and the card. */
record DriverCheck(Service service, String card) implements Check {
  @Override
  public String name() {
    return "driver";
  }

  @Override
  public Outcome run() throws IOException, InterruptedException {
    JsonNode cards = service.get("/api/v1/devices");
    JsonNode driver = cards.get("driver");
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("state", driver.get("state").asString());
    figures.put("emulated", driver.path("emulated").asBoolean());
    figures.put("cuda_version", driver.path("version").asString(""));
    for (JsonNode gpu : cards.get("gpus")) {
      String device = gpu.get("device").asString();
      figures.put(device, gpu.get("name").asString());
      figures.put(device + "_bytes", gpu.get("bytes").asLong());
      figures.put(device + "_compute_capability", gpu.get("computeCapability").asString());
    }
    return Outcome.within(figures.containsKey(card), driver.get("text").asString(), figures);
  }
}
