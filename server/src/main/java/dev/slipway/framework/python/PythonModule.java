package dev.slipway.framework.python;

import dev.slipway.framework.python.PythonSource.Line;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a module makes and uses, as far as it concerns FastAPI. */
final class PythonModule {
  private static final Pattern BLOCK =
      Pattern.compile("(?:async\\s+)?def\\s+(\\w+)\\s*\\((.*)\\)\\s*(?:->\\s*(.+?))?\\s*:.*");
  private static final Pattern CLASS = Pattern.compile("class\\s+(\\w+)\\s*(?:\\((.*)\\))?\\s*:.*");
  private static final Pattern ASSIGNMENT =
      Pattern.compile("(\\w+)\\s*(?::\\s*([\\w.\"\\[\\] |]+?))?\\s*=(?!=)\\s*(.*)");
  private static final Pattern CALL =
      Pattern.compile("(?:await\\s+)?((?:\\w+\\.)*(\\w+))\\s*\\(.*");
  private static final Pattern FROM = Pattern.compile("from\\s+(\\.*)([\\w.]*)\\s+import\\s+(.*)");
  private static final Pattern IMPORT = Pattern.compile("import\\s+(.*)");
  private static final Pattern ALIAS = Pattern.compile("\\bFastAPI\\s+as\\s+(\\w+)");
  private static final Pattern NAMES_FILES =
      Pattern.compile(
          "StaticFiles|Jinja2Templates|FileResponse|\\bopen\\(|Path\\(|env_file|load_dotenv");
  private static final Pattern RUN =
      Pattern.compile("uvicorn\\.run\\(\\s*(?:app\\s*=\\s*)?\"(\\d+)\".*");

  private final Set<String> constructors = new HashSet<>(Set.of("FastAPI", "fastapi.FastAPI"));
  private final Set<String> objects = new LinkedHashSet<>();
  private final Map<String, Boolean> factories = new LinkedHashMap<>();
  private final Map<String, String> calls = new LinkedHashMap<>();
  private final Set<String> imports = new LinkedHashSet<>();
  private final List<String> strings = new ArrayList<>();
  private final Set<String> runs = new LinkedHashSet<>();
  private int dots;

  private PythonModule() {}

  static PythonModule of(String text) {
    PythonModule module = new PythonModule();
    module.read(PythonSource.lines(text));
    return module;
  }

  /** Names of the module that are applications. */
  Set<String> objects() {
    return objects;
  }

  /** Functions that make an application, and whether they can be called without arguments. */
  Map<String, Boolean> factories() {
    return factories;
  }

  /** Names of the module that are what a function gives, and the function's name. */
  Map<String, String> calls() {
    return calls;
  }

  /** Modules that are imported by their full name. */
  Set<String> imports() {
    return imports;
  }

  /** How many packages the module lies in at least, by its relative imports. */
  int depth() {
    return dots;
  }

  /** Texts that may name files. */
  List<String> strings() {
    return strings;
  }

  /** What {@code uvicorn.run} is given, for example {@code app.main:app}. */
  Set<String> runs() {
    return runs;
  }

  private void read(List<Line> lines) {
    Deque<Integer> blocks = new ArrayDeque<>();
    Function function = Function.NONE;
    for (Line line : lines) {
      if (NAMES_FILES.matcher(line.code()).find()) {
        strings.addAll(line.strings());
      }
      while (!blocks.isEmpty() && blocks.peek() >= line.indent()) {
        blocks.pop();
      }
      if (blocks.isEmpty()) {
        function.end(this);
        function = topLevel(line, blocks);
      } else {
        function = function.with(line, this);
      }
      run(line);
      imports(line.code());
    }
    function.end(this);
  }

  private Function topLevel(Line line, Deque<Integer> blocks) {
    Matcher block = BLOCK.matcher(line.code());
    Matcher type = CLASS.matcher(line.code());
    Matcher assignment = ASSIGNMENT.matcher(line.code());
    if (block.matches()) {
      blocks.push(line.indent());
      return new Function(
          block.group(1), isCallable(block.group(2)), isType(block.group(3)), false);
    }
    if (type.matches()) {
      blocks.push(line.indent());
      if (type.group(2) != null && constructors.contains(type.group(2).split(",", -1)[0].strip())) {
        constructors.add(type.group(1));
      }
    } else if (line.code().startsWith("if __name__")) {
      blocks.push(line.indent());
    } else if (assignment.matches()) {
      assigned(assignment.group(1), isType(assignment.group(2)), assignment.group(3));
    }
    return Function.NONE;
  }

  private void assigned(String name, boolean annotated, String value) {
    Matcher call = CALL.matcher(value);
    if (annotated || isConstructor(value)) {
      objects.add(name);
    } else if (call.matches()) {
      calls.put(name, call.group(2));
    } else {
      Matcher further = ASSIGNMENT.matcher(value);
      if (further.matches()) {
        assigned(further.group(1), false, further.group(3));
        if (objects.contains(further.group(1))) {
          objects.add(name);
        }
      }
    }
  }

  private boolean isConstructor(String value) {
    Matcher call = CALL.matcher(value);
    return call.matches() && constructors.contains(call.group(1));
  }

  private boolean isType(@Nullable String annotation) {
    return annotation != null && constructors.contains(annotation.strip());
  }

  private static boolean isCallable(String parameters) {
    for (String parameter : parameters.split(",(?![^\\[(]*[\\])])", -1)) {
      String text = parameter.strip();
      if (!text.isEmpty() && !text.startsWith("*") && !text.contains("=") && !text.equals("/")) {
        return false;
      }
    }
    return true;
  }

  private void run(Line line) {
    Matcher run = RUN.matcher(line.code());
    if (run.find()) {
      runs.add(line.strings().get(Integer.parseInt(run.group(1))));
    }
  }

  private void imports(String code) {
    Matcher from = FROM.matcher(code);
    if (from.matches()) {
      dots = Math.max(dots, from.group(1).length());
      if (from.group(1).isEmpty()) {
        imports.add(from.group(2));
      }
      Matcher alias = ALIAS.matcher(from.group(3));
      if (alias.find()) {
        constructors.add(alias.group(1));
      }
      return;
    }
    Matcher names = IMPORT.matcher(code);
    if (names.matches()) {
      for (String name : names.group(1).split(",", -1)) {
        imports.add(name.strip().split("\\s", -1)[0]);
      }
    }
  }

  /**
   * A function while its body is read.
   *
   * @param makes whether an application is made in it
   */
  private record Function(String name, boolean callable, boolean returns, boolean makes) {
    static final Function NONE = new Function("", false, false, false);

    Function with(Line line, PythonModule module) {
      if (name.isEmpty()) {
        return this;
      }
      String code = line.code();
      Matcher assignment = ASSIGNMENT.matcher(code);
      String value =
          assignment.matches() ? assignment.group(3) : code.replaceFirst("^return\\s+", "");
      boolean returned = code.startsWith("return ") || code.startsWith("yield ");
      boolean made = makes || module.isConstructor(value);
      return new Function(name, callable, returns || (made && returned), made);
    }

    void end(PythonModule module) {
      if (returns && !name.isEmpty()) {
        module.factories.put(name, callable);
      }
    }
  }
}
