package dev.vramscope.cli.replay;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** Runs the operations of a trace and writes their records. */
interface TraceReplay {
  void replay(ReplayConfig config, InputStream trace, OutputStream records) throws IOException;
}
