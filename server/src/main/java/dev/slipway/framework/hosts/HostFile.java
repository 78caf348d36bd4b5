package dev.slipway.framework.hosts;

import java.util.Set;

/** One kind of file, and what of it matters here. */
interface HostFile {
  /**
   * @param variables the names of those that are set for the application
   */
  void read(Folder folder, Set<String> variables, Notes notes);
}
