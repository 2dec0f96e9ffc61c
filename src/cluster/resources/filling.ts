// How defaults are written: fill in what is absent, and hand back the same object when nothing was, so that a default
// costs nothing where it does not apply and unchanged parts stay shared.

/** `object` with those of `defaults` that it lacks. */
export function filled<O extends object>(object: O, defaults: Partial<O>): O {
  let result: O | undefined;
  for (const name in defaults) {
    if (object[name] !== undefined) continue;
    result ??= { ...object };
    result[name] = defaults[name] as O[typeof name];
  }
  return result ?? object;
}

/** `object` with `name` replaced by `change` of its present value, when there is one. */
export function changed<O extends object, K extends keyof O>(
  object: O,
  name: K,
  change: (value: NonNullable<O[K]>) => NonNullable<O[K]>,
): O {
  const value = object[name];
  if (value === undefined || value === null) return object;
  const next = change(value as NonNullable<O[K]>);
  return next === value ? object : { ...object, [name]: next };
}

/** `list` with every item changed; the same list when no item was. */
export function each<T>(list: readonly T[], change: (item: T) => T): readonly T[] {
  let result: T[] | undefined;
  for (let index = 0; index < list.length; index += 1) {
    const item = list[index] as T;
    const next = change(item);
    if (next === item) continue;
    result ??= [...list];
    result[index] = next;
  }
  return result ?? list;
}

/** Where Go has no pointer, zero values count as absent: drops "", 0 and false so that `filled` sees them. */
export function withoutZero<O extends object>(object: O, ...names: readonly (keyof O)[]): O {
  let result: O | undefined;
  for (const name of names) {
    const value = object[name];
    if (value !== "" && value !== 0 && value !== false) continue;
    result ??= { ...object };
    delete result[name];
  }
  return result ?? object;
}
