package dev.slipway.acceptance;

import java.util.Map;

/**
 * Sources of applications that keep notes in their database: the build makes the table, {@code
 * /add?text=} adds one, {@code /} lists them, {@code /url} tells what they were given, {@code
 * /try?url=} logs in elsewhere and says how that went.
 */
final class NotesApp {
  private static final String SERVER =
      """
      const express = require("express");
      const { Client, Pool } = require("pg");
      const pool = new Pool({ connectionString: process.env.DATABASE_URL });
      pool.on("error", () => {});
      const app = express();
      const answering = (work) => (request, answer) =>
        work(request.query).then((text) => answer.send(text), (e) => answer.status(500).send(e.message));
      app.get("/", answering(async () =>
        (await pool.query("SELECT text FROM note ORDER BY text")).rows.map((it) => it.text).join(" ")));
      app.get("/add", answering(async ({ text }) => {
        await pool.query("INSERT INTO note VALUES ($1)", [text]);
        return "added";
      }));
      app.get("/url", (_, answer) => {
        console.log("asked for", process.env.DATABASE_URL);
        answer.send(process.env.DATABASE_URL);
      });
      app.get("/try", answering(async ({ url }) => {
        const client = new Client({ connectionString: url });
        await client.connect();
        await client.end();
        return "connected";
      }));
      app.get("/up", (_, answer) => answer.send("up"));
      app.listen(process.env.PORT);
      """;

  private static final String MAIN =
      """
      import os
      import psycopg
      from fastapi import FastAPI
      from fastapi.responses import PlainTextResponse

      app = FastAPI(default_response_class=PlainTextResponse)
      URL = os.environ["DATABASE_URL"]
      with psycopg.connect(URL) as started:
          started.execute("CREATE TABLE IF NOT EXISTS note (text text)")

      @app.get("/")
      def all():
          with psycopg.connect(URL) as connection:
              rows = connection.execute("SELECT text FROM note ORDER BY text").fetchall()
          return " ".join(row[0] for row in rows)

      @app.get("/add")
      def add(text: str):
          with psycopg.connect(URL) as connection:
              connection.execute("INSERT INTO note VALUES (%s)", [text])
          return "added"

      @app.get("/url")
      def url():
          return URL

      @app.get("/try")
      def connects(url: str):
          try:
              psycopg.connect(url).close()
              return "connected"
          except psycopg.Error as e:
              return "refused: " + str(e)
      """;

  private NotesApp() {}

  /** With Express and {@code pg}; its build logs in. */
  static Map<String, String> ofNode() {
    return Map.of(
        "server.js",
        SERVER,
        "migrate.js",
        """
        const { Client } = require("pg");
        const client = new Client();
        client.connect()
          .then(() => client.query("CREATE TABLE IF NOT EXISTS note (text text)"))
          .then(() => client.end())
          .then(() => console.log("made the table as", process.env.PGPASSWORD));
        """,
        "package.json",
        """
        {
          "name": "notes",
          "scripts": { "build": "node migrate.js", "start": "node server.js" },
          "dependencies": { "express": "5.1.0", "pg": "8.16.3" }
        }
        """);
  }

  /**
   * With Express and {@code mysql2}; it adds by a procedure and reads by a view. {@code /place}
   * says what its variable {@code PLACE} is.
   */
  static Map<String, String> ofNodeWithMysql() {
    return Map.of(
        "server.js",
        """
        const express = require("express");
        const mysql = require("mysql2/promise");
        const pool = mysql.createPool(process.env.DATABASE_URL);
        const app = express();
        const answering = (work) => (request, answer) =>
          work(request.query).then((text) => answer.send(text), (e) => answer.status(500).send(e.message));
        app.get("/", answering(async () =>
          (await pool.query("SELECT text FROM notes ORDER BY text"))[0].map((it) => it.text).join(" ")));
        app.get("/add", answering(async ({ text }) => {
          await pool.query("CALL add_note(?)", [text]);
          return "added";
        }));
        app.get("/url", (_, answer) => answer.send(process.env.DATABASE_URL));
        app.get("/place", (_, answer) => answer.send(process.env.PLACE));
        app.get("/try", answering(async ({ url }) => {
          const connection = await mysql.createConnection(url);
          await connection.end();
          return "connected";
        }));
        app.listen(process.env.PORT);
        """,
        "migrate.js",
        """
        const mysql = require("mysql2/promise");
        const { MYSQL_HOST, MYSQL_PORT, MYSQL_USER, MYSQL_PASSWORD, MYSQL_DATABASE } = process.env;
        mysql
          .createConnection({
            host: MYSQL_HOST, port: MYSQL_PORT, user: MYSQL_USER, password: MYSQL_PASSWORD,
            database: MYSQL_DATABASE,
          })
          .then(async (connection) => {
            await connection.query("CREATE TABLE IF NOT EXISTS note (text varchar(40))");
            await connection.query("CREATE OR REPLACE VIEW notes AS SELECT text FROM note");
            await connection.query("DROP PROCEDURE IF EXISTS add_note");
            await connection.query(
              "CREATE PROCEDURE add_note(IN it varchar(40)) INSERT INTO note VALUES (it)");
            await connection.end();
            console.log("made the table as", MYSQL_PASSWORD);
          });
        """,
        "package.json",
        """
        {
          "name": "notes",
          "scripts": { "build": "node migrate.js", "start": "node server.js" },
          "dependencies": { "express": "5.1.0", "mysql2": "3.24.6" }
        }
        """);
  }

  /** With FastAPI and psycopg. */
  static Map<String, String> ofPython() {
    return Map.of(
        "main.py",
        MAIN,
        "requirements.txt",
        """
        fastapi==0.115.6
        uvicorn==0.34.0
        psycopg[binary]==3.2.13
        """);
  }
}
