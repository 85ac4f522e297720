package dev.vramscope.format.profiler;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** The members of one event of a trace that matter here; read again for each event. */
final class MemoryEvent {
  /** The device type of the host's memory; others are those of GPUs and accelerators. */
  private static final long CPU = 0;

  private static final String ALLOCATION = "[memory]";
  private static final String FAILURE = "[OutOfMemory]";
  private static final long NONE = Long.MIN_VALUE;

  private @Nullable String name;
  private double micros;
  private long deviceType;
  private long device;
  private long address;
  private long bytes;
  private long allocated;
  private long reserved;

  /** Reads an object whose beginning was read. */
  void read(JsonParser json) {
    name = null;
    micros = Double.NaN;
    deviceType = NONE;
    device = NONE;
    address = NONE;
    bytes = NONE;
    allocated = NONE;
    reserved = NONE;
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      String member = json.currentName();
      JsonToken value = json.nextToken();
      if (member.equals("name") && value == JsonToken.VALUE_STRING) {
        name = json.getString();
      } else if (member.equals("ts") && value.isNumeric()) {
        micros = json.getDoubleValue();
      } else if (member.equals("args") && value == JsonToken.START_OBJECT) {
        readArguments(json);
      } else {
        json.skipChildren();
      }
    }
  }

  private void readArguments(JsonParser json) {
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      String member = json.currentName();
      JsonToken value = json.nextToken();
      if (value != JsonToken.VALUE_NUMBER_INT) {
        json.skipChildren();
        continue;
      }
      switch (member) {
        case "Device Type" -> deviceType = number(json);
        case "Device Id" -> device = number(json);
        case "Addr" -> address = number(json);
        case "Bytes" -> bytes = number(json);
        case "Total Allocated" -> allocated = number(json);
        case "Total Reserved" -> reserved = number(json);
        default -> {} // Ev Idx and others.
      }
    }
  }

  /** Addresses may have 64 bits; larger numbers are none. */
  private static long number(JsonParser json) {
    try {
      return json.getNumberType() == JsonParser.NumberType.BIG_INTEGER
          ? Long.parseUnsignedLong(json.getString())
          : json.getLongValue();
    } catch (NumberFormatException tooLarge) {
      return NONE;
    }
  }

  /** Whether it is an event of a GPU's memory with all that such an event needs. */
  boolean isOfGpu() {
    return (isFailure() || ALLOCATION.equals(name))
        && deviceType != NONE
        && deviceType != CPU
        && device >= 0
        && bytes != NONE
        && bytes != 0
        && !Double.isNaN(micros);
  }

  boolean isFailure() {
    return FAILURE.equals(name);
  }

  double micros() {
    return micros;
  }

  long device() {
    return device;
  }

  boolean hasAddress() {
    return address != NONE && address != 0;
  }

  long address() {
    return address;
  }

  /** Negative for a free. */
  long bytes() {
    return bytes;
  }

  /** After the event; negative if it is not recorded. */
  long allocated() {
    return allocated;
  }

  /** After the event; negative if it is not recorded. */
  long reserved() {
    return reserved;
  }
}
