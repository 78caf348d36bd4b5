package dev.slipway.framework.python;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerCommandTest {
  private static ServerCommand command(String line) {
    return ServerCommand.of(List.of(line.split(" ", -1)));
  }

  @ParameterizedTest
  @CsvSource({
    "uvicorn main:app, uvicorn main:app --host 0.0.0.0 --port ${PORT}",
    "uvicorn main:app --host 127.0.0.1 --port 8000, uvicorn main:app --host 0.0.0.0 --port ${PORT}",
    "uvicorn main:app --host=localhost --port=8000, uvicorn main:app --host=0.0.0.0 --port=${PORT}",
    "uvicorn main:app --host ${HOST} --port ${PORT:-80}, uvicorn main:app --host ${HOST} --port ${PORT:-80}",
    "python3 -m uvicorn main:app --port $PORT, python -m uvicorn main:app --port $PORT --host 0.0.0.0",
    "uv run --no-dev uvicorn a:b --host :: --port $PORT, uvicorn a:b --host :: --port $PORT",
    "uv run --extra web python main.py, python main.py",
    "poetry run python -m app, python -m app",
    "pipenv run gunicorn a:b, gunicorn a:b --bind 0.0.0.0:${PORT}",
    "gunicorn a:b -b :8000 -w 2, gunicorn a:b -b 0.0.0.0:${PORT} -w 2",
    "gunicorn a:b --bind=0.0.0.0:$PORT, gunicorn a:b --bind=0.0.0.0:$PORT",
    "gunicorn -c conf.py a:b, gunicorn -c conf.py a:b",
    "hypercorn a:b, hypercorn a:b --bind 0.0.0.0:${PORT}",
    "fastapi run app/main.py, fastapi run app/main.py --host 0.0.0.0 --port ${PORT}",
    "fastapi dev main.py, fastapi run main.py --host 0.0.0.0 --port ${PORT}",
    "alembic upgrade head, alembic upgrade head",
    "uv run, uv run",
  })
  void listensWhereItIsAsked(String given, String run) {
    assertThat(String.join(" ", command(given).words())).isEqualTo(run);
  }

  @Test
  void aServerForDevelopmentIsNotOne() {
    ServerCommand command = command("uvicorn main:app --reload --host 0.0.0.0 --port $PORT");

    assertThat(command.words()).doesNotContain("--reload");
    assertThat(command.findings())
        .singleElement()
        .satisfies(it -> assertThat(it.warning()).isTrue());
  }

  @Test
  void aPortOfItsOwnIsSaid() {
    assertThat(command("uvicorn main:app --port 8000").findings().getFirst().sentence())
        .isEqualTo("The start command names the port 8000; the application gets the one of PORT.");
  }
}
