package dev.slipway.framework;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.core.Failure;
import dev.slipway.core.Serving;
import dev.slipway.framework.BuildPlan.Fallback;
import dev.slipway.framework.BuildPlan.Finding;
import dev.slipway.framework.BuildPlan.Step;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** A plan, or why there is none, as JSON that is easy to read; variables of steps are left out. */
final class PlanText {
  private static final ObjectMapper JSON = new ObjectMapper();

  private PlanText() {}

  static ObjectNode of(BuildPlan plan) {
    ObjectNode json = JSON.createObjectNode();
    json.put("framework", plan.framework());
    put(json, "root_directory", plan.rootDirectory());
    list(
        json,
        "tools",
        plan.tools().stream().map(it -> (it.name() + " " + it.range()).strip()).toList());
    plan.install()
        .ifPresent(install -> {
          ObjectNode node = json.putObject("install");
          steps(node, "steps", install.steps());
          list(node, "inputs", install.inputs());
          steps(node, "again", install.again());
        });
    steps(json, "steps", plan.steps());
    switch (plan.serving()) {
      case Serving.Program program -> program(json.putObject("program"), program);
      case Serving.Site site -> site(json.putObject("site"), site);
    }
    list(json, "caches", plan.caches());
    list(json, "findings", plan.findings().stream().map(PlanText::finding).toList());
    return json;
  }

  static ObjectNode of(Failure failure) {
    return JSON.createObjectNode()
        .put("failure", failure.code().wireName())
        .put("sentence", failure.message());
  }

  private static void program(ObjectNode json, Serving.Program program) {
    put(json, "directory", program.directory());
    list(
        json,
        "commands",
        program.commands().stream().map(words -> String.join(" ", words)).toList());
    json.set("env", JSON.valueToTree(new TreeMap<>(program.env())));
    list(json, "path", program.path());
    program.healthCheckPath().ifPresent(path -> json.put("health_check_path", path));
    program.assets().ifPresent(it -> json.put("assets", it.directory() + " at " + it.path()));
  }

  private static void site(ObjectNode json, Serving.Site site) {
    json.put("directory", site.directory());
    site.fallback().ifPresent(file -> json.put("fallback", file));
    json.put("clean_urls", site.cleanUrls());
  }

  private static void steps(ObjectNode json, String name, List<Step> steps) {
    list(json, name, steps.stream().map(PlanText::step).toList());
  }

  private static String step(Step step) {
    String place = step.directory().isEmpty() ? "" : " in " + step.directory();
    StringBuilder other = new StringBuilder();
    for (Optional<Fallback> it = step.fallback(); it.isPresent(); it = it.get().next()) {
      other.append(", at %s: %s".formatted(it.get().sign(), String.join(" ", it.get().argv())));
    }
    return "%s%s: %s%s".formatted(step.name(), place, String.join(" ", step.argv()), other);
  }

  private static String finding(Finding finding) {
    return (finding.warning() ? "warning: " : "info: ") + finding.sentence();
  }

  private static void put(ObjectNode json, String name, String value) {
    if (!value.isEmpty()) {
      json.put(name, value);
    }
  }

  private static void list(ObjectNode json, String name, List<String> values) {
    if (!values.isEmpty()) {
      values.forEach(json.withArray(name)::add);
    }
  }
}
