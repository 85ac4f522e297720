package dev.vramscope.format.torch;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.format.pickle.Cell;
import dev.vramscope.model.Annotation;
import dev.vramscope.model.Trace;
import dev.vramscope.model.finding.FindingKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The annotations of the program. The newest one is open until the next one opens. */
final class AnnotationRows implements Fields.Row {
  private static final long ANNOTATION_BYTES = 40;
  private static final int NO_TEXT = -1;
  private static final int NO_DEVICE = -1;
  private static final int NO_LIST = -1;

  private final Fields fields;
  private final ListStates lists;
  private final KnownValues knownValues;
  private final FindingCounter findings;
  private final ReadLimits limits;
  private final Map<Integer, List<Annotation>> devices = new TreeMap<>();
  private int annotationsList = NO_LIST;
  private int count;

  private boolean open;
  private int name;
  private int stage;
  private int device;
  private long micros;

  AnnotationRows(
      Fields fields,
      ListStates lists,
      KnownValues knownValues,
      FindingCounter findings,
      ReadLimits limits) {
    this.fields = fields;
    this.lists = lists;
    this.knownValues = knownValues;
    this.findings = findings;
    this.limits = limits;
  }

  long openAnnotations() {
    open = false;
    count = 0;
    devices.clear();
    annotationsList = lists.open();
    return Role.ANNOTATIONS.cell(annotationsList);
  }

  long openAnnotation() throws FormatException {
    finish();
    if (count >= limits.maxBlocks()) {
      throw Fields.tooMany(path(), "more than " + limits.maxBlocks() + " annotations");
    }
    open = true;
    name = NO_TEXT;
    stage = NO_TEXT;
    device = NO_DEVICE;
    micros = Trace.NO_TIME;
    return Role.ANNOTATION.cell(count);
  }

  /** Sets a field of the open annotation; returns false if the key is unknown. */
  boolean put(long annotation, Key key, long value) throws FormatException {
    if (!open || Role.number(annotation) != count) {
      throw Fields.malformed(path(), "an annotation changes after it was finished");
    }
    switch (key) {
      case NAME -> name = fields.text(value, this, key);
      case STAGE -> stage = fields.text(value, this, key);
      case TIME_US -> micros = fields.integer(value, this, key);
      case DEVICE -> {
        long ordinal = Cell.tag(value) == Cell.NONE ? NO_DEVICE : fields.integer(value, this, key);
        device = ordinal < 0 || ordinal > Short.MAX_VALUE ? NO_DEVICE : (int) ordinal;
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  void append(long list, long[] cells, int from, int to) throws FormatException {
    finish();
    for (int i = from; i < to; i++) {
      if (!Role.ANNOTATION.is(cells[i])) {
        throw Fields.malformed(
            "external_annotations", "expected an annotation, found " + Cell.describe(cells[i]));
      }
    }
    int number = Role.number(list);
    lists.state(number, lists.state(number) + (to - from));
  }

  void accept(long cell, Fields.Row row, Key key) throws FormatException {
    finish();
    if (Role.ANNOTATIONS.is(cell) && Role.number(cell) == annotationsList) {
      return;
    }
    if (!lists.isEmpty(cell) && Cell.tag(cell) != Cell.NONE) {
      throw Fields.malformed(
          row, key, "expected a list of annotations, found " + Cell.describe(cell));
    }
    openAnnotations();
  }

  /** About how much heap the annotations take. */
  long heapBytes() {
    return count * ANNOTATION_BYTES;
  }

  /** The annotations by device; those without a device have the key -1. */
  Map<Integer, List<Annotation>> devices() {
    return devices;
  }

  @Override
  public String path() {
    return "external_annotations[" + count + "]";
  }

  private void finish() {
    if (!open) {
      return;
    }
    open = false;
    count++;
    if (name == NO_TEXT || !(knownValues.isStart(stage) || knownValues.isEnd(stage))) {
      findings.count(FindingKind.ANNOTATIONS_UNREADABLE);
      return;
    }
    Annotation.Stage end =
        knownValues.isStart(stage) ? Annotation.Stage.START : Annotation.Stage.END;
    devices
        .computeIfAbsent(device, _ -> new ArrayList<>())
        .add(new Annotation(fields.values().texts().text(name), end, micros));
  }
}
