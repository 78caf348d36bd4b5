package dev.slipway.build;

import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How programs of builds say what is wrong. Each prints much more than that, and often first what
 * matters and last that something did.
 */
final class Complaints {
  /**
   * One way to say it.
   *
   * @param pattern over several lines; its first find counts
   * @param sentence with {@code $1} and so on for what the pattern's groups hold
   */
  private record Complaint(Pattern pattern, String sentence) {
    Complaint(String pattern, String sentence) {
      this(Pattern.compile(pattern, Pattern.MULTILINE), sentence);
    }

    Optional<String> in(String output) {
      Matcher matcher = pattern.matcher(output);
      return matcher.find() ? Optional.of(filled(matcher)) : Optional.empty();
    }

    private String filled(MatchResult found) {
      String text = sentence;
      for (int i = 1; i <= found.groupCount(); i++) {
        String group = Optional.ofNullable(found.group(i)).orElse("");
        text = text.replace("$" + i, group.strip().replaceAll("\\s+", " "));
      }
      return text;
    }
  }

  // The first that is found wins: what caused another stands before it.
  private static final List<Complaint> ALL =
      List.of(
          // A package that is compiled while it is installed.
          new Complaint(
              "fatal error: (\\S+\\.h(?:pp)?): No such file or directory",
              "a package is compiled and its header $1 is not on this server. Choose a version of the package that comes compiled."),
          new Complaint(
              "^.*pg_config executable not found.*$",
              "psycopg2 is compiled and needs pg_config, which is not on this server. Use psycopg2-binary."),
          new Complaint(
              "error: command '(\\S*?(?:gcc|cc|clang|g\\+\\+))' failed: No such file or directory",
              "a package is compiled and this server has no $1. Choose a version of it that comes compiled."),
          new Complaint(
              "can't find Rust compiler|Cargo, the Rust package manager, is not installed",
              "a package is compiled and this server has no Rust. Choose a version of it that comes compiled."),
          new Complaint(
              "gyp ERR! stack Error: (.*?)\\.?$",
              "a package is compiled by node-gyp, and that failed: $1. Choose a version of it that comes compiled, or fits this Node."),
          // Compilers and bundlers.
          new Complaint(
              "error:0308010C:digital envelope routines::unsupported|ERR_OSSL_EVP_UNSUPPORTED",
              "webpack 4, or an early 5, asks OpenSSL for a hash that Node 17 and later do not have. Set engines.node in package.json to 16.x, or the variable NODE_OPTIONS to --openssl-legacy-provider; a newer version of what builds the application (Next.js 12, react-scripts 5, @vue/cli-service 5) needs neither."),
          new Complaint(
              "(--[\\w-]+) is not allowed in NODE_OPTIONS",
              "NODE_OPTIONS holds $1, which this version of Node does not take. Leave it out, or ask for another Node in engines.node."),
          new Complaint(
              "Failed to fetch `?([^`\\n]+?)`? from Google Fonts",
              "the font $1 could not be fetched from Google Fonts, which next/font/google does in each build. Let builds reach fonts.googleapis.com, or use next/font/local."),
          new Complaint("^(\\S.*?\\(\\d+,\\d+\\): error TS\\d+: .*)$", "$1"),
          new Complaint("^(\\S+:\\d+:\\d+) - (error TS\\d+: .*)$", "$1: $2"),
          new Complaint(
              "^(\\./\\S+?(?::\\d+:\\d+)?)\\n(Type error: .*|Module not found: .*|Error: .*)$",
              "$1: $2"),
          new Complaint("^(Module not found: .*)$", "$1"),
          new Complaint(
              "^\\W*(Error occurred prerendering page \"[^\"]+\").*\\n(.*Error.*)$", "$1 $2"),
          new Complaint("(Rollup failed to resolve import \"[^\"]+\" from \"[^\"]+\")", "$1"),
          new Complaint("(Could not resolve \"[^\"]+\" from \"[^\"]+\")", "$1"),
          new Complaint("(Failed to resolve import \"[^\"]+\" from \"[^\"]+\")", "$1"),
          new Complaint("^\\W*\\[ERROR\\] (.*)$", "$1"), // esbuild
          // npm
          new Complaint(
              "^npm (?:error|ERR!) (?:code )?ERESOLVE[\\s\\S]*?^npm (?:error|ERR!) (peer \\S+ from \\S+)",
              "ERESOLVE: $1 does not fit the version that is asked for elsewhere. Align the two, or put legacy-peer-deps=true into .npmrc."),
          new Complaint(
              "^npm (?:error|ERR!) notsup Not compatible with your version of node/npm: (\\S+)\\n.*Required: (.*)\\n.*Actual: *(.*)$",
              "$1 needs $2 and gets $3"),
          new Complaint(
              "^npm (?:error|ERR!) (?:network |FetchError: )?(request to \\S+ failed, reason: .*)$",
              "the registry was not reached: $1"),
          // pnpm, Yarn, Bun
          new Complaint("^\\s*\\[?(ERR_PNPM_(?!RECURSIVE)\\w+)\\]?\\s+(.*)$", "$1: $2"),
          new Complaint("(YN0028): .*?(The lockfile would have been modified.*)$", "$1: $2"),
          new Complaint(
              "(YN00(?:01|09|16|18|20|27|35|41|45|46|47|56|66|71|77|78|79|80|81|82|83|89|91)): [│├└┌]? *(.*)$",
              "$1: $2"),
          new Complaint(
              "^error (Couldn't find .*|Your lockfile .*|An unexpected error .*|Incorrect integrity .*|.*: The engine .*)$",
              "$1"),
          new Complaint(
              "^error: (?!script |Failed with|subprocess-)(GET .*|.* failed to resolve|lockfile had changes.*)$",
              "$1"),
          // pip, uv, Poetry
          new Complaint("^ERROR: (Package '.*' requires a different Python: .*)$", "$1"),
          new Complaint(
              "require a different python version[\\s\\S]*?^ERROR: (No matching distribution found for .*)$",
              "$1, for this Python: other versions of it require another."),
          new Complaint("^ERROR: (No matching distribution found for .*)$", "$1"),
          new Complaint("^ERROR: (Cannot install .*)$", "$1"),
          new Complaint(
              "No solution found when resolving[^\\n]*\\n\\s*(?:cause:|╰─▶)\\s*([^\\n]+(?:\\n {3,}[^\\n]+){0,8})",
              "$1"),
          new Complaint("^\\W*(The lockfile at `uv\\.lock` needs to be updated.*)$", "$1"),
          new Complaint("^(pyproject\\.toml changed significantly since poetry\\.lock .*)$", "$1"),
          new Complaint(
              "Failed (?:building wheel for|to build) `?([\\w.-]+(?:==[\\w.+!-]+)?)`?$",
              "$1 does not come compiled for this Python, and compiling it failed. Choose a version that does."),
          new Complaint("(Failed to build `[^`]+`)", "$1"), // the application itself
          // A program that a script names and that is not there.
          new Complaint(
              "^(?:/bin/)?sh: (?:\\d+: |line \\d+: )?(\\S+?):(?: command)? not found$",
              "there is no program $1. If a package brings it, add that to the dependencies."));

  private static final Pattern TRACEBACK =
      Pattern.compile(
          "^Traceback \\(most recent call last\\):\\n(?:[ \\t].*\\n)+(\\S.*)$", Pattern.MULTILINE);

  private Complaints() {}

  /** What the output says in a way that is known here. */
  static Optional<String> in(String output) {
    return ALL.stream()
        .flatMap(complaint -> complaint.in(output).stream())
        .findFirst()
        .or(() ->
            // The last exception is the one that nothing caught.
            TRACEBACK
                .matcher(output)
                .results()
                .map(found -> found.group(1))
                .reduce((_, last) -> last));
  }
}
