package dev.vramscope.format.pickle;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Pickles Java values (Map, List, {@link Tuple}, String, numbers, Boolean, null) like Python's
 * pickler or PyTorch's C++ pickler, so that tests can construct files of every shape. An object
 * that occurs twice is written once and then read from the memo.
 */
public final class PickleWriter {
  /** A Python tuple. */
  public record Tuple(List<Object> items) {
    public static Tuple of(Object... items) {
      return new Tuple(List.of(items));
    }
  }

  private enum Style {
    PYTHON,
    CPP
  }

  private final Style style;
  private final int protocol;
  private final int batch;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final IdentityHashMap<Object, Integer> memo = new IdentityHashMap<>();

  private PickleWriter(Style style, int protocol, int batch) {
    this.style = style;
    this.protocol = protocol;
    this.batch = batch;
  }

  /** Like {@code pickle.dumps(value, protocol)}. */
  public static byte[] python(@Nullable Object value, int protocol) {
    return python(value, protocol, 1000);
  }

  /** Like Python, with another batch size. */
  public static byte[] python(@Nullable Object value, int protocol, int batch) {
    return new PickleWriter(Style.PYTHON, protocol, batch).write(value);
  }

  /** Like {@code torch::jit::Pickler}: protocol 2, one batch, memoized when complete. */
  public static byte[] cpp(@Nullable Object value) {
    return new PickleWriter(Style.CPP, 2, Integer.MAX_VALUE).write(value);
  }

  private byte[] write(@Nullable Object value) {
    op(0x80, protocol);
    if (protocol >= 4) {
      op(0x95);
      number(1234, 8);
    }
    save(value);
    op('.');
    return out.toByteArray();
  }

  private void save(@Nullable Object value) {
    Integer known = value == null ? null : memo.get(value);
    if (known != null) {
      if (known < 256) {
        op('h', known);
      } else {
        op('j');
        number(known, 4);
      }
      return;
    }
    switch (value) {
      case null -> op('N');
      case Boolean flag -> op(flag ? 0x88 : 0x89);
      case Integer number -> integer(number);
      case Long number -> integer(number);
      case BigInteger number -> wide(number);
      case Double number -> {
        op('G');
        long bits = Double.doubleToRawLongBits(number);
        number(Long.reverseBytes(bits), 8);
      }
      case String text -> {
        text(text);
        memoize(text);
      }
      case Tuple tuple -> tuple(tuple);
      case List<?> list -> list(list);
      case Map<?, ?> map -> dict(map);
      default -> throw new IllegalArgumentException("cannot pickle " + value.getClass());
    }
  }

  private void text(String text) {
    byte[] encoded = Utf8.encode(text);
    if (style == Style.PYTHON && protocol >= 4 && encoded.length < 256) {
      op(0x8C, encoded.length);
    } else {
      op('X');
      number(encoded.length, 4);
    }
    out.writeBytes(encoded);
  }

  private void integer(long number) {
    if (style == Style.PYTHON && number >= 0 && number < 256) {
      op('K', (int) number);
    } else if (style == Style.PYTHON && number >= 0 && number < 65536) {
      op('M');
      number(number, 2);
    } else if (number == (int) number) {
      op('J');
      number(number, 4);
    } else if (style == Style.CPP) {
      op(0x8A, 8);
      number(number, 8);
    } else {
      wide(BigInteger.valueOf(number));
    }
  }

  private void wide(BigInteger number) {
    byte[] bigEndian = number.toByteArray();
    op(0x8A, bigEndian.length);
    for (int i = bigEndian.length - 1; i >= 0; i--) {
      out.write(bigEndian[i]);
    }
  }

  private void tuple(Tuple tuple) {
    if (tuple.items().isEmpty()) {
      op(')');
      return;
    }
    boolean marked = tuple.items().size() > 3 || style == Style.CPP;
    if (marked) {
      op('(');
    }
    tuple.items().forEach(this::save);
    op(marked ? 't' : 0x84 + tuple.items().size());
    memoize(tuple);
  }

  private void list(List<?> list) {
    op(']');
    if (style == Style.PYTHON) {
      memoize(list);
    }
    for (int from = 0; from < list.size(); from += batch) {
      List<?> part = list.subList(from, (int) Math.min(list.size(), (long) from + batch));
      boolean single = part.size() == 1 && style == Style.PYTHON;
      if (!single) {
        op('(');
      }
      part.forEach(this::save);
      op(single ? 'a' : 'e');
    }
    if (style == Style.CPP) {
      memoize(list);
    }
  }

  private void dict(Map<?, ?> map) {
    op('}');
    if (style == Style.PYTHON) {
      memoize(map);
    }
    List<Map.Entry<?, ?>> entries = new ArrayList<>(map.entrySet());
    for (int from = 0; from < entries.size(); from += batch) {
      var part = entries.subList(from, (int) Math.min(entries.size(), (long) from + batch));
      boolean single = part.size() == 1 && style == Style.PYTHON;
      if (!single) {
        op('(');
      }
      for (Map.Entry<?, ?> entry : part) {
        save(entry.getKey());
        save(entry.getValue());
      }
      op(single ? 's' : 'u');
    }
    if (style == Style.CPP) {
      memoize(map);
    }
  }

  private void memoize(Object value) {
    int number = memo.size();
    memo.put(value, number);
    if (protocol >= 4) {
      op(0x94);
    } else if (number < 256) {
      op('q', number);
    } else {
      op('r');
      number(number, 4);
    }
  }

  private void op(int code) {
    out.write(code);
  }

  private void op(int code, int operand) {
    out.write(code);
    out.write(operand);
  }

  private void number(long value, int bytes) {
    for (int i = 0; i < bytes; i++) {
      out.write((int) (value >>> (8 * i)));
    }
  }

  /** Raw opcodes: each argument is a byte, a character, a string of characters or a byte array. */
  public static byte[] raw(Object... parts) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (Object part : parts) {
      switch (part) {
        case Integer code -> bytes.write(code);
        case Character code -> bytes.write(code);
        case String text -> bytes.writeBytes(text.getBytes(StandardCharsets.ISO_8859_1));
        case byte[] raw -> bytes.writeBytes(raw);
        default -> throw new IllegalArgumentException("cannot write " + part);
      }
    }
    return bytes.toByteArray();
  }
}
