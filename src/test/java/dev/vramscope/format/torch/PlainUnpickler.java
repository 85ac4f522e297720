package dev.vramscope.format.torch;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A second, minimal unpickler for real snapshots that builds a tree of Java objects. It shares no
 * code with the reader, so the reader can be checked against it.
 */
final class PlainUnpickler {
  private static final Object MARK = new Object();

  private final ByteBuffer in;
  private final List<Object> stack = new ArrayList<>();
  private final Map<Integer, Object> memo = new HashMap<>();

  private PlainUnpickler(byte[] pickle) {
    in = ByteBuffer.wrap(pickle).order(ByteOrder.LITTLE_ENDIAN);
  }

  static Object load(byte[] pickle) {
    return new PlainUnpickler(pickle).load();
  }

  private Object load() {
    while (true) {
      int code = in.get() & 0xFF;
      switch (code) {
        case 0x80 -> in.get();
        case 0x95 -> in.getLong();
        case '.' -> {
          return pop();
        }
        case '(' -> stack.add(MARK);
        case '}' -> stack.add(new LinkedHashMap<String, Object>());
        case ']' -> stack.add(new ArrayList<Object>());
        case 0x94 -> memo.put(memo.size(), stack.getLast());
        case 'h' -> stack.add(memo.get(in.get() & 0xFF));
        case 'j' -> stack.add(memo.get(in.getInt()));
        case 0x8C -> stack.add(text(in.get() & 0xFF));
        case 'X' -> stack.add(text(in.getInt()));
        case 'K' -> stack.add(BigInteger.valueOf(in.get() & 0xFF));
        case 'M' -> stack.add(BigInteger.valueOf(in.getShort() & 0xFFFF));
        case 'J' -> stack.add(BigInteger.valueOf(in.getInt()));
        case 0x8A -> stack.add(integer(in.get() & 0xFF));
        case 'G' -> {
          stack.add(Double.longBitsToDouble(Long.reverseBytes(in.getLong())));
        }
        case 0x88 -> stack.add(true);
        case 0x89 -> stack.add(false);
        case 0x86 -> {
          Object second = pop();
          stack.add(List.of(pop(), second));
        }
        case 'a' -> {
          Object value = pop();
          list(stack.getLast()).add(value);
        }
        case 'e' -> {
          Deque<Object> batch = popToMark();
          list(stack.getLast()).addAll(batch);
        }
        case 's' -> {
          Object value = pop();
          Object key = pop();
          dict(stack.getLast()).put((String) key, value);
        }
        case 'u' -> {
          Deque<Object> batch = popToMark();
          while (!batch.isEmpty()) {
            Object key = batch.pop();
            dict(stack.getLast()).put((String) key, batch.pop());
          }
        }
        default -> throw new IllegalStateException("opcode " + code + " at " + in.position());
      }
    }
  }

  @SuppressWarnings("unchecked")
  static List<Object> list(Object value) {
    return (List<Object>) value;
  }

  @SuppressWarnings("unchecked")
  static Map<String, Object> dict(Object value) {
    return (Map<String, Object>) value;
  }

  static Object field(Map<String, Object> dict, String key) {
    return Objects.requireNonNull(dict.get(key), key);
  }

  private Object pop() {
    return stack.removeLast();
  }

  private Deque<Object> popToMark() {
    Deque<Object> batch = new ArrayDeque<>();
    for (Object value = pop(); !MARK.equals(value); value = pop()) {
      batch.push(value);
    }
    return batch;
  }

  private String text(int length) {
    byte[] bytes = new byte[length];
    in.get(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private BigInteger integer(int length) {
    byte[] bigEndian = new byte[length];
    for (int i = length - 1; i >= 0; i--) {
      bigEndian[i] = in.get();
    }
    return length == 0 ? BigInteger.ZERO : new BigInteger(bigEndian);
  }
}
