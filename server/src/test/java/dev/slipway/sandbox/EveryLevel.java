package dev.slipway.sandbox;

import java.lang.annotation.Annotation;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

/**
 * Runs a test class that takes a level, in a JVM of its own for which there is no test engine: only
 * what these classes use of it is known here.
 */
final class EveryLevel {
  private EveryLevel() {}

  public static void main(String... arguments) throws Exception {
    Class<?> tests = Class.forName(arguments[0]);
    Method levels = tests.getDeclaredMethod("levels");
    levels.setAccessible(true);
    boolean failed = false;
    for (Object level : ((Stream<?>) levels.invoke(null)).toList()) {
      System.out.println(level);
      for (Method test : methods(tests, Test.class)) {
        failed |= !passes(tests, level, test);
      }
    }
    for (Method after : methods(tests, AfterAll.class)) {
      after.invoke(null);
    }
    System.exit(failed ? 1 : 0);
  }

  private static boolean passes(Class<?> tests, Object level, Method test) throws Exception {
    Constructor<?> constructor = tests.getDeclaredConstructors()[0];
    constructor.setAccessible(true);
    Object instance = constructor.newInstance(level);
    try {
      test.invoke(instance);
      System.out.println("  passed " + test.getName());
      return true;
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof TestAbortedException skipped) {
        System.out.println("  skipped " + test.getName() + ": " + skipped.getMessage());
        return true;
      }
      System.out.println("  FAILED " + test.getName());
      e.printStackTrace(System.out);
      return false;
    } finally {
      for (Method after : methods(tests, AfterEach.class)) {
        after.invoke(instance);
      }
    }
  }

  private static List<Method> methods(Class<?> tests, Class<? extends Annotation> annotation) {
    List<Method> methods = new ArrayList<>();
    for (Class<?> type = tests; type != null; type = type.getSuperclass()) {
      for (Method method : type.getDeclaredMethods()) {
        if (method.isAnnotationPresent(annotation)) {
          method.setAccessible(true);
          methods.add(method);
        }
      }
    }
    return methods;
  }
}
