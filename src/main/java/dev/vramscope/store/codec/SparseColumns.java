package dev.vramscope.store.codec;

import dev.vramscope.model.Annotation;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.OomEvent;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.TextColumn;
import dev.vramscope.model.Trace;
import java.util.ArrayList;
import java.util.List;

/** Values that few events have, the annotations, and the stream and pool dictionaries. */
record SparseColumns(
    List<Long> streams,
    List<PoolId> pools,
    List<OomEvent> ooms,
    List<RowText> userMetadata,
    List<RowText> compileContexts,
    List<RowText> otherActions,
    List<Annotation> annotations) {

  /** A row and its text. */
  record RowText(int row, String text) {}

  static void write(
      DeviceSnapshot device, List<Long> streams, List<PoolId> pools, ColumnWriter out) {
    out.number(streams.size());
    streams.forEach(out::number);
    out.number(pools.size());
    for (PoolId pool : pools) {
      out.number(pool.graph());
      out.number(pool.user());
    }
    Trace trace = device.trace();
    out.number(trace.ooms().size());
    for (OomEvent oom : trace.ooms()) {
      out.number(oom.event());
      out.number(oom.requestedBytes());
      out.number(oom.deviceFreeBytes());
    }
    writeTexts(trace.userMetadata(), out);
    writeTexts(trace.compileContexts(), out);
    writeTexts(trace.otherActions(), out);
    out.number(device.annotations().size());
    for (Annotation annotation : device.annotations()) {
      out.text(annotation.name());
      out.number(annotation.stage() == Annotation.Stage.START ? 0 : 1);
      out.signed(annotation.timeMicros());
    }
  }

  static SparseColumns read(ColumnReader in) {
    List<Long> streams = new ArrayList<>();
    for (int left = in.count(); left > 0; left--) {
      streams.add(in.number());
    }
    List<PoolId> pools = new ArrayList<>();
    for (int left = in.count(); left > 0; left--) {
      pools.add(new PoolId(in.number(), in.number()));
    }
    List<OomEvent> ooms = new ArrayList<>();
    for (int left = in.count(); left > 0; left--) {
      ooms.add(new OomEvent(in.count(), in.number(), in.number()));
    }
    List<RowText> userMetadata = readTexts(in);
    List<RowText> compileContexts = readTexts(in);
    List<RowText> otherActions = readTexts(in);
    List<Annotation> annotations = new ArrayList<>();
    for (int left = in.count(); left > 0; left--) {
      String name = in.text();
      var stage = in.index(2) == 0 ? Annotation.Stage.START : Annotation.Stage.END;
      annotations.add(new Annotation(name, stage, in.signed()));
    }
    in.requireEnd();
    return new SparseColumns(
        streams, pools, ooms, userMetadata, compileContexts, otherActions, annotations);
  }

  /** Adds OOMs and texts to a trace that already has all its events. */
  void addTo(Trace.Builder trace) {
    for (OomEvent oom : ooms) {
      trace.oom(oom.event(), oom.requestedBytes(), oom.deviceFreeBytes());
    }
    userMetadata.forEach(rowText -> trace.userMetadata(rowText.row(), rowText.text()));
    compileContexts.forEach(rowText -> trace.compileContext(rowText.row(), rowText.text()));
    otherActions.forEach(rowText -> trace.otherAction(rowText.row(), rowText.text()));
  }

  /** Distinct texts, then for each row its distance from the previous row and its text number. */
  private static void writeTexts(TextColumn column, ColumnWriter out) {
    ValueDictionary<String> dictionary = new ValueDictionary<>();
    for (int i = 0; i < column.count(); i++) {
      dictionary.numberOf(column.text(i));
    }
    out.number(dictionary.values().size());
    dictionary.values().forEach(out::text);
    out.number(column.count());
    int last = 0;
    for (int i = 0; i < column.count(); i++) {
      out.number(column.row(i) - last);
      out.number(dictionary.numberOf(column.text(i)));
      last = column.row(i);
    }
  }

  private static List<RowText> readTexts(ColumnReader in) {
    List<String> texts = new ArrayList<>();
    for (int left = in.count(); left > 0; left--) {
      texts.add(in.text());
    }
    List<RowText> rowTexts = new ArrayList<>();
    int row = 0;
    for (int left = in.count(); left > 0; left--) {
      row += in.count();
      rowTexts.add(new RowText(row, texts.get(in.index(texts.size()))));
    }
    return rowTexts;
  }
}
