package dev.slipway.source.git;

import dev.slipway.source.RepoName;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the repository of a configured host that an address means, in the spellings that git knows.
 * Only the repository's name is taken from the address; where it is fetched from is the host's own.
 *
 * @param hosts in the order in which they are asked
 */
record SubmoduleAddresses(List<GitHost> hosts) {
  private static final Pattern WITH_SCHEME =
      Pattern.compile("(https?|ssh|git|git\\+ssh)://(?:[^/@]*@)?([^/:@]+)(?::([0-9]{1,5}))?/(.+)");

  /** {@code git@github.com:acme/lib.git} */
  private static final Pattern SHORT_SSH = Pattern.compile("(?:[^/@:]+@)?([^/:@]+):/?([^/:].*)");

  SubmoduleAddresses {
    hosts = List.copyOf(hosts);
  }

  record Place(GitHost host, RepoName repo) {}

  /**
   * Empty where no configured host has it.
   *
   * @param parent which relative addresses begin at
   */
  Optional<Place> find(String address, Place parent) {
    if (address.startsWith("./") || address.startsWith("../")) {
      return relative(address, parent);
    }
    return hosts.stream().flatMap(host -> on(host, address).stream()).findFirst();
  }

  private static Optional<Place> relative(String address, Place parent) {
    String at = parent.repo().value();
    String rest = address;
    while (rest.startsWith("./") || rest.startsWith("../")) {
      if (rest.startsWith("../")) {
        if (at.isEmpty()) {
          return Optional.empty(); // above the host's folder
        }
        at = at.substring(0, Math.max(0, at.lastIndexOf('/')));
      }
      rest = rest.substring(rest.indexOf('/') + 1);
    }
    return repo(at.isEmpty() ? rest : at + "/" + rest).map(repo -> new Place(parent.host(), repo));
  }

  private static Optional<Place> on(GitHost host, String address) {
    if (address.startsWith(host.folder())) {
      return repo(address.substring(host.folder().length())).map(repo -> new Place(host, repo));
    }
    if (host.isFolder()) {
      return Optional.empty();
    }
    Matcher full = WITH_SCHEME.matcher(address);
    if (full.matches()) {
      Optional<Integer> port = Optional.ofNullable(full.group(3)).map(Integer::valueOf);
      boolean same = isCalled(host, full.group(2)) && isAt(host, full.group(1), port);
      return same ? below(host, full.group(4)) : Optional.empty();
    }
    Matcher ssh = SHORT_SSH.matcher(address);
    return ssh.matches() && isCalled(host, ssh.group(1))
        ? below(host, ssh.group(2))
        : Optional.empty();
  }

  private static boolean isCalled(GitHost host, String name) {
    return name.toLowerCase(Locale.ROOT)
        .equals(String.valueOf(host.base().getHost()).toLowerCase(Locale.ROOT));
  }

  /** A host's other doors lead to the same repositories; an odd port of HTTP is another server. */
  private static boolean isAt(GitHost host, String scheme, Optional<Integer> port) {
    if (!scheme.startsWith("http")) {
      return true;
    }
    URI base = host.base();
    int standard = base.getScheme().equals("https") ? 443 : 80;
    int own = base.getPort() < 0 ? standard : base.getPort();
    int asked = port.orElse(scheme.equals("https") ? 443 : 80);
    return own == asked || (own == standard && port.isEmpty());
  }

  private static Optional<Place> below(GitHost host, String path) {
    String folder = String.valueOf(host.base().getPath()).replaceAll("^/+|/+$", "");
    String prefix = folder.isEmpty() ? "" : folder + "/";
    String plain = path.replaceFirst("^/+", "");
    return plain.startsWith(prefix)
        ? repo(plain.substring(prefix.length())).map(repo -> new Place(host, repo))
        : Optional.empty();
  }

  /** The grammar of names leaves no way out of the host's folder. */
  private static Optional<RepoName> repo(String path) {
    String name = path.replaceFirst("/+$", "").replaceFirst("\\.git$", "");
    return RepoName.isValid(name) ? Optional.of(new RepoName(name)) : Optional.empty();
  }
}
