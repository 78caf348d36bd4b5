package dev.slipway.bench;

import java.util.List;
import java.util.Map;

/**
 * A small application of one framework, and what a person types to build and run it. It answers
 * {@code GET /} with the texts of its mark and of its variable. Its dependencies are those of the
 * example of its framework, whose lockfile it has where there is one.
 *
 * @param files by name; {@code MARK} in them stands for the mark of a commit
 * @param manifest the file whose version stands for another set of dependencies
 * @param variable the one that is read, by the build or the program
 * @param install with a warm cache
 * @param build empty where there is nothing to build
 * @param start with {@code PORT} in a word for the port
 * @param installed the directory that a second build may keep
 */
record BuiltApp(
    String name,
    Map<String, String> files,
    String manifest,
    String variable,
    List<List<String>> install,
    List<List<String>> build,
    List<String> start,
    String installed) {

  private static final List<String> NPM_CI =
      List.of("npm", "ci", "--prefer-offline", "--no-audit", "--no-fund");
  private static final List<String> NPM_BUILD = List.of("npm", "run", "build");

  static List<BuiltApp> all() {
    return List.of(express(), vite(), next(), fastApi());
  }

  private static BuiltApp express() {
    return new BuiltApp(
        "node-express",
        Map.of(
            "package.json",
            """
            {"name": "bench", "version": "1.0.0", "scripts": {"start": "node server.js"},
             "dependencies": {"express": "^5.1.0"}}
            """,
            "server.js",
            """
            require('express')()
              .get('/', (_, answer) => answer.send(`MARK ${process.env.GREETING}`))
              .listen(process.env.PORT);
            """),
        "package.json",
        "GREETING",
        List.of(NPM_CI),
        List.of(),
        List.of("node", "server.js"),
        "node_modules");
  }

  private static BuiltApp vite() {
    return new BuiltApp(
        "react-vite",
        Map.of(
            "package.json",
            """
            {"name": "bench", "version": "1.0.0", "type": "module",
             "scripts": {"build": "vite build"},
             "dependencies": {"react": "^19.1.0", "react-dom": "^19.1.0"},
             "devDependencies": {"vite": "^6.3.0", "@vitejs/plugin-react": "^4.7.0"}}
            """,
            "vite.config.js",
            """
            import { defineConfig } from 'vite';
            import react from '@vitejs/plugin-react';
            export default defineConfig({ plugins: [react()] });
            """,
            "index.html",
            """
            <!doctype html>
            <title>MARK %VITE_GREETING%</title>
            <div id="root"></div>
            <script type="module" src="/main.jsx"></script>
            """,
            "main.jsx",
            """
            import { createRoot } from 'react-dom/client';
            createRoot(document.getElementById('root')).render(<p>MARK</p>);
            """),
        "package.json",
        "VITE_GREETING",
        List.of(NPM_CI),
        List.of(NPM_BUILD),
        List.of("npx", "vite", "preview", "--port", "PORT", "--host", "127.0.0.1"),
        "node_modules");
  }

  private static BuiltApp next() {
    return new BuiltApp(
        "nextjs",
        Map.of(
            "package.json",
            """
            {"name": "bench", "version": "1.0.0",
             "scripts": {"build": "next build", "start": "next start"},
             "dependencies": {"next": "^15.3.3", "react": "^19.1.0", "react-dom": "^19.1.0"}}
            """,
            "app/layout.js",
            """
            export default function Layout({ children }) {
              return <html lang="en"><body>{children}</body></html>;
            }
            """,
            "app/page.js",
            """
            export default function Page() {
              return <p>{`MARK ${process.env.NEXT_PUBLIC_GREETING}`}</p>;
            }
            """),
        "package.json",
        "NEXT_PUBLIC_GREETING",
        List.of(NPM_CI),
        List.of(NPM_BUILD),
        List.of("npx", "next", "start", "-p", "PORT"),
        "node_modules");
  }

  private static BuiltApp fastApi() {
    return new BuiltApp(
        "python-fastapi",
        Map.of(
            "requirements.txt",
            """
            fastapi==0.115.6
            uvicorn==0.34.0
            # version 1.0.0
            """,
            "main.py",
            """
            import os

            from fastapi import FastAPI

            app = FastAPI()


            @app.get("/")
            def home():
                return "MARK " + os.environ.get("GREETING", "")
            """),
        "requirements.txt",
        "GREETING",
        List.of(
            List.of("python3", "-m", "venv", ".venv"),
            List.of(".venv/bin/pip", "install", "--quiet", "-r", "requirements.txt")),
        List.of(),
        // Not by the script: it names the place where it was installed.
        List.of(".venv/bin/python", "-m", "uvicorn", "main:app", "--port", "PORT"),
        ".venv");
  }
}
