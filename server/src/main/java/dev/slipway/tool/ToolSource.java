package dev.slipway.tool;

import java.nio.file.Path;

/** A place that tools come from. */
interface ToolSource {
  /**
   * The newest version in the range. Blocks, for minutes.
   *
   * @param name of the tool
   * @param workplace empty and of the user that fetches; what is answered lies in it
   */
  Fetched fetch(String name, VersionRange range, Path workplace) throws InterruptedException;
}
