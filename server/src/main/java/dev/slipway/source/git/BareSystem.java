package dev.slipway.source.git;

import java.io.File;
import java.nio.file.Path;
import org.eclipse.jgit.lib.Config;
import org.eclipse.jgit.storage.file.FileBasedConfig;
import org.eclipse.jgit.util.FS;
import org.eclipse.jgit.util.SystemReader;
import org.jspecify.annotations.Nullable;

/**
 * What JGit may know of this machine: nothing. The git configuration of the server's user could
 * name filters, credentials, proxies and address rewrites that a tenant's fetch must not meet.
 */
final class BareSystem extends SystemReader.Delegate {
  private static final String GIT_VARIABLE = "GIT_";

  private BareSystem(SystemReader base) {
    super(base);
  }

  /** Holds for the whole JVM; may be called again. */
  static synchronized void install() {
    if (!(SystemReader.getInstance() instanceof BareSystem)) {
      SystemReader.setInstance(new BareSystem(SystemReader.getInstance()));
      // JGit measures the clock of each file system at its first use, for seconds: not while a
      // fetch waits, and with probe files in a place that is still there when it ends.
      FS.FileStoreAttributes.setBackground(true);
      FS.FileStoreAttributes.get(Path.of(System.getProperty("java.io.tmpdir")));
    }
  }

  @Override
  public @Nullable String getenv(String variable) {
    return variable.startsWith(GIT_VARIABLE) ? null : super.getenv(variable);
  }

  @Override
  public FileBasedConfig openUserConfig(Config parent, FS fs) {
    return new EmptyConfig(parent, fs);
  }

  @Override
  public FileBasedConfig openSystemConfig(Config parent, FS fs) {
    return new EmptyConfig(parent, fs);
  }

  @Override
  public FileBasedConfig openJGitConfig(Config parent, FS fs) {
    return new EmptyConfig(parent, fs);
  }

  private static final class EmptyConfig extends FileBasedConfig {
    EmptyConfig(Config parent, FS fs) {
      super(parent, new File("/dev/null"), fs);
    }

    @Override
    public void load() {}

    /** JGit saves what it measured of file systems; it is measured again at the next start. */
    @Override
    public void save() {}

    @Override
    public boolean isOutdated() {
      return false;
    }
  }
}
