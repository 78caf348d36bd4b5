package dev.slipway.db;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Optional;
import org.jdbi.v3.core.argument.Argument;
import org.jdbi.v3.core.argument.ArgumentFactory;
import org.jdbi.v3.core.argument.Arguments;
import org.jdbi.v3.core.config.ConfigRegistry;
import org.jdbi.v3.core.generic.GenericTypes;
import org.jdbi.v3.core.mapper.ColumnMapper;
import org.jdbi.v3.core.mapper.ColumnMapperFactory;
import org.jdbi.v3.core.mapper.ColumnMappers;
import org.jspecify.annotations.Nullable;

/** Records that wrap one {@code value}, such as ids, written and read as that value. */
final class ValueRecords implements ArgumentFactory, ColumnMapperFactory {
  static boolean isOne(Class<?> type) {
    RecordComponent[] components = type.getRecordComponents();
    return components != null && components.length == 1 && components[0].getName().equals("value");
  }

  @Override
  public Optional<Argument> build(Type type, @Nullable Object value, ConfigRegistry config) {
    if (value == null || !isOne(value.getClass())) {
      return Optional.empty();
    }
    RecordComponent component = value.getClass().getRecordComponents()[0];
    return config.get(Arguments.class).findFor(component.getGenericType(), read(component, value));
  }

  @Override
  public Optional<ColumnMapper<?>> build(Type type, ConfigRegistry config) {
    Class<?> erased = GenericTypes.getErasedType(type);
    if (!isOne(erased)) {
      return Optional.empty();
    }
    Constructor<?> constructor = canonical(erased);
    return config
        .get(ColumnMappers.class)
        .findFor(erased.getRecordComponents()[0].getGenericType())
        .map(inner ->
            (row, column, context) -> {
              Object value = inner.map(row, column, context);
              return value == null ? null : construct(constructor, value);
            });
  }

  private static Constructor<?> canonical(Class<?> type) {
    try {
      Constructor<?> constructor =
          type.getDeclaredConstructor(type.getRecordComponents()[0].getType());
      constructor.setAccessible(true); // a store's private record too
      return constructor;
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException("a record without its canonical constructor", e);
    }
  }

  private static Object read(RecordComponent component, Object value) {
    try {
      component.getAccessor().setAccessible(true);
      return component.getAccessor().invoke(value);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot read " + value.getClass(), e);
    }
  }

  private static Object construct(Constructor<?> constructor, Object value) {
    try {
      return constructor.newInstance(value);
    } catch (InvocationTargetException e) {
      throw new IllegalStateException(
          "the store holds a value that %s refuses".formatted(constructor.getDeclaringClass()),
          e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot make " + constructor.getDeclaringClass(), e);
    }
  }
}
