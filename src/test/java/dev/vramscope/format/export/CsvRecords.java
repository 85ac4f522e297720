package dev.vramscope.format.export;

import java.util.ArrayList;
import java.util.List;

/** Reads CSV of RFC 4180. */
final class CsvRecords {
  private CsvRecords() {}

  static List<List<String>> of(String csv) {
    List<List<String>> records = new ArrayList<>();
    List<String> record = new ArrayList<>();
    int at = 0;
    while (at < csv.length()) {
      StringBuilder cell = new StringBuilder();
      if (csv.charAt(at) == '"') {
        for (at++; csv.charAt(at) != '"' || csv.startsWith("\"\"", at); at++) {
          cell.append(csv.charAt(at));
          at += csv.charAt(at) == '"' ? 1 : 0;
        }
        at++;
      } else {
        while (csv.charAt(at) != ',' && !csv.startsWith("\r\n", at)) {
          cell.append(csv.charAt(at++));
        }
      }
      record.add(cell.toString());
      if (csv.charAt(at) == ',') {
        at++;
      } else {
        at += 2;
        records.add(record);
        record = new ArrayList<>();
      }
    }
    return records;
  }
}
