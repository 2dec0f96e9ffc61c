// Shell variables: scalars, indexed and associative arrays, attributes, and the scopes that functions open.

import { lateUnicode } from "#sim/late-unicode.ts";

/** A variable with its attributes (`declare`). A scalar has a value, an array has elements. */
export interface Variable {
  kind: "scalar" | "indexed" | "associative";
  /** Undefined while declared without a value. Of an array: unused. */
  value: string | undefined;
  elements: Map<string, string>;
  exported: boolean;
  readonly: boolean;
  integer: boolean;
  letters: "lower" | "upper" | undefined;
  /** A name reference: `value` names another variable. */
  reference: boolean;
}

/** What an element of an array takes beside its text. */
const elementBytes = 64;

export function newVariable(kind: Variable["kind"] = "scalar", value?: string): Variable {
  return {
    kind,
    value,
    elements: new Map(),
    exported: false,
    readonly: false,
    integer: false,
    letters: undefined,
    reference: false,
  };
}

/** Keys of an array in the order that bash lists them. */
export function arrayKeys(variable: Variable): string[] {
  const keys = [...variable.elements.keys()];
  return variable.kind === "indexed" ? keys.sort((a, b) => Number(a) - Number(b)) : keys;
}

/** Of arrays that are appended to again and again: where they ended, as long as nothing else has changed them. */
const ends = new WeakMap<ReadonlyMap<string, string>, { readonly size: number; readonly end: number }>();

/** The index after the last one. */
export function endOfArray({ elements }: Variable): number {
  const known = ends.get(elements);
  if (known !== undefined && known.size === elements.size) return known.end;
  let end = 0;
  for (const key of elements.keys()) end = Math.max(end, Number(key) + 1);
  return end;
}

/** An element has been set: `end` when it was appended. */
export function noteElement({ elements }: Variable, end?: number): void {
  if (end === undefined) ends.delete(elements);
  else ends.set(elements, { size: elements.size, end });
}

/** What `$name` of this variable is. */
export function scalarValue(variable: Variable): string | undefined {
  return variable.kind === "scalar" ? variable.value : variable.elements.get("0");
}

/** The variables that can be seen: those of the functions that are running, innermost first, then the global ones. */
export class Variables {
  /** Innermost last; the first is global. */
  #scopes: Map<string, Variable>[] = [new Map()];

  #resolve(name: string): string {
    let current = name;
    for (let hops = 0; hops < 8; hops += 1) {
      const variable = this.#find(current);
      if (variable?.reference !== true || variable.value === undefined) return current;
      current = variable.value;
    }
    return current;
  }

  #find(name: string): Variable | undefined {
    for (let i = this.#scopes.length - 1; i >= 0; i -= 1) {
      const found = this.#scopes[i]?.get(name);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  lookup(name: string): Variable | undefined {
    return this.#find(this.#resolve(name));
  }

  /** The variable, made in the global scope when it does not exist. */
  ensure(name: string): Variable {
    const target = this.#resolve(name);
    const found = this.#find(target);
    if (found !== undefined) return found;
    const made = newVariable();
    this.#scopes[0]?.set(target, made);
    return made;
  }

  /** The variable of the innermost scope, made there when it does not exist. */
  ensureLocal(name: string): Variable {
    const scope = this.#scopes[this.#scopes.length - 1] as Map<string, Variable>;
    let variable = scope.get(name);
    if (variable === undefined) {
      variable = newVariable();
      scope.set(name, variable);
    }
    return variable;
  }

  get(name: string): string | undefined {
    const variable = this.lookup(name);
    return variable === undefined ? undefined : scalarValue(variable);
  }

  /** Sets a scalar (element 0 of an array). Attributes apply except `integer`, which needs arithmetic and is the caller's. */
  set(name: string, value: string): void {
    const variable = this.ensure(name);
    const shaped = applyLetters(variable, value);
    if (variable.kind === "scalar") variable.value = shaped;
    else variable.elements.set("0", shaped);
  }

  setArray(name: string, values: readonly string[]): void {
    const variable = this.ensure(name);
    if (variable.kind === "scalar") variable.kind = "indexed";
    variable.elements = new Map(values.map((value, index) => [String(index), value]));
  }

  unset(name: string): void {
    const target = this.#resolve(name);
    for (let i = this.#scopes.length - 1; i >= 0; i -= 1) if (this.#scopes[i]?.delete(target) === true) return;
  }

  pushScope(): void {
    this.#scopes.push(new Map());
  }

  popScope(): void {
    if (this.#scopes.length > 1) this.#scopes.pop();
  }

  get inFunction(): boolean {
    return this.#scopes.length > 1;
  }

  names(): string[] {
    return [...new Set(this.#scopes.flatMap((scope) => [...scope.keys()]))].sort();
  }

  /** Bytes of all values, and how many there are. */
  size(): { readonly bytes: number; readonly count: number } {
    let bytes = 0;
    let count = 0;
    for (const scope of this.#scopes) {
      for (const variable of scope.values()) {
        count += 1 + variable.elements.size;
        bytes += variable.value?.length ?? 0;
        for (const text of variable.elements.values()) bytes += text.length + elementBytes;
      }
    }
    return { bytes, count };
  }

  environment(): Map<string, string> {
    const result = new Map<string, string>();
    for (const scope of this.#scopes) {
      for (const [name, variable] of scope) {
        if (variable.exported && variable.kind === "scalar" && variable.value !== undefined) result.set(name, variable.value);
        else if (scope !== this.#scopes[0]) result.delete(name);
      }
    }
    return result;
  }

  copy(): Variables {
    const result = new Variables();
    result.#scopes = this.#scopes.map(
      (scope) => new Map([...scope].map(([name, variable]) => [name, { ...variable, elements: new Map(variable.elements) }])),
    );
    return result;
  }
}

export function applyLetters(variable: Variable, value: string): string {
  if (variable.letters === undefined) return value;
  return variable.letters === "upper" ? lateUnicode.code.upperCase(value) : lateUnicode.code.lowerCase(value);
}

export function isName(text: string): boolean {
  return /^[A-Za-z_]\w*$/u.test(text);
}
