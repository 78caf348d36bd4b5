package dev.slipway.build;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** With what the programs printed when they were made to fail. */
class ComplaintsTest {
  @ParameterizedTest(name = "{1}")
  @MethodSource
  void theSentenceThatSaysWhyIsFound(String output, String sentence) {
    assertThat(Complaints.in(output)).contains(sentence);
  }

  static Stream<Arguments> theSentenceThatSaysWhyIsFound() {
    return Stream.of(
        Arguments.of(
            """
            npm error code ERESOLVE
            npm error ERESOLVE unable to resolve dependency tree
            npm error
            npm error While resolving: a@1.0.0
            npm error Found: react@19.0.0
            npm error node_modules/react
            npm error   react@"19.0.0" from the root project
            npm error
            npm error Could not resolve dependency:
            npm error peer react@"17.0.2" from react-test-renderer@17.0.2
            npm error node_modules/react-test-renderer
            """,
            "ERESOLVE: peer react@\"17.0.2\" from react-test-renderer@17.0.2 does not fit the version that is asked for elsewhere. Align the two, or put legacy-peer-deps=true into .npmrc."),
        Arguments.of(
            """
            npm error code EBADENGINE
            npm error engine Unsupported engine
            npm error engine Not compatible with your version of node/npm: a@1.0.0
            npm error notsup Not compatible with your version of node/npm: a@1.0.0
            npm error notsup Required: {"node":">=99"}
            npm error notsup Actual:   {"node":"v20.20.2","npm":"11.19.1"}
            """,
            "a@1.0.0 needs {\"node\":\">=99\"} and gets {\"node\":\"v20.20.2\",\"npm\":\"11.19.1\"}"),
        Arguments.of(
            """
            info  - Creating an optimized production build
            node:internal/crypto/hash:71
              this[kHandle] = new _Hash(algorithm, xofLen);
                              ^

            Error: error:0308010C:digital envelope routines::unsupported
                at new Hash (node:internal/crypto/hash:71:19)
                at Object.createHash (node:crypto:133:10)
              opensslErrorStack: [ 'error:03000086:digital envelope routines::initialization error' ],
              library: 'digital envelope routines',
              reason: 'unsupported',
              code: 'ERR_OSSL_EVP_UNSUPPORTED'
            }
            """,
            "webpack 4, or an early 5, asks OpenSSL for a hash that Node 17 and later do not have. Set engines.node in package.json to 16.x, or the variable NODE_OPTIONS to --openssl-legacy-provider; a newer version of what builds the application (Next.js 12, react-scripts 5, @vue/cli-service 5) needs neither."),
        Arguments.of(
            "node: --openssl-legacy-provider is not allowed in NODE_OPTIONS\n",
            "NODE_OPTIONS holds --openssl-legacy-provider, which this version of Node does not take. Leave it out, or ask for another Node in engines.node."),
        Arguments.of(
            """
            npm error code ENOTFOUND
            npm error syscall getaddrinfo
            npm error errno ENOTFOUND
            npm error network request to http://nope.invalid/pnpm failed, reason: getaddrinfo ENOTFOUND nope.invalid
            npm error network This is a problem related to network connectivity.
            """,
            "the registry was not reached: request to http://nope.invalid/pnpm failed, reason: getaddrinfo ENOTFOUND nope.invalid"),
        Arguments.of(
            """
             ERR_PNPM_OUTDATED_LOCKFILE  Cannot install with "frozen-lockfile" because pnpm-lock.yaml is not up to date with <ROOT>/package.json

            Note that in CI environments this setting is true by default.
            """,
            "ERR_PNPM_OUTDATED_LOCKFILE: Cannot install with \"frozen-lockfile\" because pnpm-lock.yaml is not up to date with <ROOT>/package.json"),
        Arguments.of(
            """
            info No lockfile found.
            [1/4] Resolving packages...
            error Couldn't find package "zz-nope-q8x7" on the "npm" registry.
            info Visit https://yarnpkg.com/en/docs/cli/install for documentation about this command.
            """,
            "Couldn't find package \"zz-nope-q8x7\" on the \"npm\" registry."),
        Arguments.of(
            """
            ➤ YN0000: · Yarn 4.18.1
            ➤ YN0000: ┌ Resolution step
            ➤ YN0035: │ zz-nope-q8x7@npm:1.0.0: Package not found
            ➤ YN0035: │   Response Code: 404 (Not Found)
            ➤ YN0000: · Failed with errors in 0s 593ms
            """,
            "YN0035: zz-nope-q8x7@npm:1.0.0: Package not found"),
        Arguments.of(
            """
            ➤ YN0028: │ +  languageName: node
            ➤ YN0028: │ +  linkType: hard
            ➤ YN0000: │
            ➤ YN0028: │ The lockfile would have been modified by this install, which is explicitly forbidden.
            ➤ YN0000: · Failed with errors in 0s 294ms
            """,
            "YN0028: The lockfile would have been modified by this install, which is explicitly forbidden."),
        Arguments.of(
            """
            bun install v1.4.5 (a7733435c)
            Resolving dependencies
            error: GET https://registry.npmjs.org/zz-nope-q8x7 - 404
            error: zz-nope-q8x7@1.0.0 failed to resolve
            """,
            "GET https://registry.npmjs.org/zz-nope-q8x7 - 404"),
        Arguments.of(
            """
            ERROR: Could not find a version that satisfies the requirement fastapi==999 (from versions: 0.1.0, 0.1.2)
            ERROR: No matching distribution found for fastapi==999
            """,
            "No matching distribution found for fastapi==999"),
        Arguments.of(
            """
            ERROR: Ignored the following versions that require a different python version: 2.4.0 Requires-Python >=3.11
            ERROR: Could not find a version that satisfies the requirement numpy==2.4.0 (from versions: 1.3.0)
            ERROR: No matching distribution found for numpy==2.4.0
            """,
            "No matching distribution found for numpy==2.4.0, for this Python: other versions of it require another."),
        Arguments.of(
            """
            error: No solution found when resolving dependencies
              cause: Because fastapi==0.130.0 depends on pydantic>=2.7.0 and you require pydantic==1.10.2, we can conclude that your requirements and fastapi==0.130.0 are incompatible.
                     And because you require fastapi==0.130.0, we can conclude that your requirements are unsatisfiable.
            """,
            "Because fastapi==0.130.0 depends on pydantic>=2.7.0 and you require pydantic==1.10.2, we can conclude that your requirements and fastapi==0.130.0 are incompatible. And because you require fastapi==0.130.0, we can conclude that your requirements are unsatisfiable."),
        Arguments.of(
            """
                     In file included from src/cnxninfo.cpp:7:
                     src/pyodbc.h:52:10: fatal error: sql.h: No such file or directory
                        52 | #include <sql.h>
                           |          ^~~~~~~
                     compilation terminated.
            """,
            "a package is compiled and its header sql.h is not on this server. Choose a version of the package that comes compiled."),
        Arguments.of(
            """
               Building numpy==1.19.0
            error: Failed to build `numpy==1.19.0`
              cause: The build backend returned an error
              cause: Call to `setuptools.build_meta.build_wheel` failed (exit status: 1)
            """,
            "numpy==1.19.0 does not come compiled for this Python, and compiling it failed. Choose a version that does."),
        Arguments.of(
            """
            > v@1.0.0 build
            > tsc -b && vite build

            src/main.ts(1,7): error TS2322: Type 'string' is not assignable to type 'number'.
            src/other.ts(9,1): error TS2304: Cannot find name 'x'.
            npm error code 2
            """,
            "src/main.ts(1,7): error TS2322: Type 'string' is not assignable to type 'number'."),
        Arguments.of(
            """
            vite v7.3.8 building client environment for production...
            ✗ Build failed in 187ms
            error during build:
            [vite]: Rollup failed to resolve import "axios" from "/app/src/main.ts".
            This is most likely unintended because it can break your application at runtime.
                at viteLog (file:///app/node_modules/vite/dist/node/chunks/config.js:33885:57)
            """,
            "Rollup failed to resolve import \"axios\" from \"/app/src/main.ts\""),
        Arguments.of(
            """
            Failed to compile.

            ./src/app/page.tsx:5:9
            Type error: Type 'string' is not assignable to type 'number'.

              3 | export default function Page() {
            Next.js build worker exited with code: 1 and signal: null
            """,
            "./src/app/page.tsx:5:9: Type error: Type 'string' is not assignable to type 'number'."),
        Arguments.of(
            """
            Failed to compile.

            ./app/page.jsx
            Module not found: Can't resolve 'axios'

            https://nextjs.org/docs/messages/module-not-found
            """,
            "./app/page.jsx: Module not found: Can't resolve 'axios'"),
        Arguments.of(
            """
            Error occurred prerendering page "/". Read more: https://nextjs.org/docs/messages/prerender-error
            Error: DATABASE_URL is not set
                at a (/app/.next/server/app/page.js:1:1)
            Export encountered an error on /page: /, exiting the build.
            """,
            "Error occurred prerendering page \"/\" Error: DATABASE_URL is not set"),
        Arguments.of(
            """
            Failed to compile.

            src/app/layout.tsx
            `next/font` error:
            Failed to fetch `Geist` from Google Fonts.

            > Build failed because of webpack errors
            """,
            "the font Geist could not be fetched from Google Fonts, which next/font/google does in each build. Let builds reach fonts.googleapis.com, or use next/font/local."),
        Arguments.of(
            """
            npm error gyp verb check python checking for Python executable "python" in the PATH
            npm error gyp ERR! configure error
            npm error gyp ERR! stack Error: Can't find Python executable "python", you can set the PYTHON env variable.
            npm error gyp ERR! stack     at PythonFinder.failNoPython
            """,
            "a package is compiled by node-gyp, and that failed: Can't find Python executable \"python\", you can set the PYTHON env variable. Choose a version of it that comes compiled, or fits this Node."),
        Arguments.of(
            """
            Traceback (most recent call last):
              File "/app/m.py", line 1, in <module>
                from app.config import settings
            KeyError: 'first'

            During handling of the above exception, another exception occurred:

            Traceback (most recent call last):
              File "/app/m.py", line 3, in <module>
                import app
            ModuleNotFoundError: No module named 'app'
            """,
            "ModuleNotFoundError: No module named 'app'"),
        Arguments.of(
            """
            > v@1.0.0 build
            > vite build

            sh: 1: vite: not found
            npm error Lifecycle script `build` failed with error:
            """,
            "there is no program vite. If a package brings it, add that to the dependencies."));
  }

  @Test
  void whatIsNotKnownIsLeftToOthers() {
    assertThat(Complaints.in("Error: boom\n    at Object.<anonymous> (/app/build.js:1:7)\n"))
        .isEmpty();
  }

  @Test
  void muchOutputOfOneKindIsReadToItsEnd() {
    String lines = String.join("\n", Collections.nCopies(400, "  " + "x".repeat(2000)));

    assertThat(Complaints.in("Traceback (most recent call last):\n" + lines + "\nE: last"))
        .contains("E: last");
  }
}
