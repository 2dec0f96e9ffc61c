// Execution of Go templates over JSON values. Numbers of the data are Go's float64, numbers of the template are ints: they do not
// compare, as in the real kubectl.

import type { JsonValue } from "#cluster/api/wire.ts";
import { isArray, isObject } from "../documents.ts";
import { callFunction, GoInt, type GoValue, isTrue, printValue } from "./functions.ts";
import { type Node, type Pipeline, parseGoTemplate, TemplateError, type Term } from "./parse.ts";

export { TemplateError } from "./parse.ts";

/** Go takes a chain of fields to begin with the first field behind its operand: at `.b` of `.a.b`, `$x.b` and `(…).b`. */
function chainStart(source: string): number {
  if (/\s/.test(source) && !source.startsWith("(")) return 0;
  if (source.startsWith("(")) return source.endsWith(")") ? 0 : source.lastIndexOf(")") + 1;
  return Math.max(source.indexOf(".", 1), 0);
}

/** Fields behind a group fail at what was evaluated last: the end of the group. */
function lastWordOf({ source }: Pipeline): string {
  return /[^\s()]*(?=\)*$)/.exec(source)?.[0] ?? source;
}

class LoopSignal extends Error {
  readonly kind: "break" | "continue";

  constructor(kind: "break" | "continue") {
    super(kind);
    this.kind = kind;
  }
}

/** A template that failed while it was executed. */
export class ExecutionError extends TemplateError {
  /** What it had written by then. */
  readonly written: string;

  constructor(message: string, written: string) {
    super(message);
    this.written = written;
  }
}

/** Upper bound on what a template may print. */
const maximumLength = 16_000_000;

interface Scope {
  readonly variables: Map<string, GoValue>;
  readonly outer: Scope | undefined;
}

class Execution {
  readonly #failOnMissing: boolean;
  #output = "";

  constructor(failOnMissing: boolean) {
    this.#failOnMissing = failOnMissing;
  }

  run(nodes: readonly Node[], data: JsonValue): string {
    try {
      this.#nodes(nodes, data, { variables: new Map([["$", data]]), outer: undefined });
    } catch (error) {
      throw error instanceof TemplateError ? new ExecutionError(error.message, this.#output) : error;
    }
    return this.#output;
  }

  #write(text: string): void {
    this.#output += text;
    if (this.#output.length > maximumLength) throw new TemplateError("template: output: too much output");
  }

  #nodes(nodes: readonly Node[], dot: GoValue, scope: Scope): void {
    for (const node of nodes) this.#node(node, dot, scope);
  }

  #node(node: Node, dot: GoValue, scope: Scope): void {
    switch (node.type) {
      case "text":
        this.#write(node.text);
        return;
      case "action": {
        const value = this.#pipeline(node.pipeline, dot, scope);
        if (node.pipeline.declares.length === 0) this.#write(printValue(value));
        return;
      }
      case "break":
      case "continue":
        throw new LoopSignal(node.type);
      case "range":
        this.#range(node, dot, scope);
        return;
      default: {
        const inner: Scope = { variables: new Map(), outer: scope };
        const value = this.#pipeline(node.pipeline, dot, inner);
        if (isTrue(value)) this.#nodes(node.body, node.type === "with" ? value : dot, inner);
        else this.#nodes(node.otherwise, dot, inner);
      }
    }
  }

  #range(node: Extract<Node, { readonly pipeline: Pipeline; readonly body: readonly Node[] }>, dot: GoValue, scope: Scope): void {
    const { pipeline } = node;
    const value = this.#pipeline({ ...pipeline, declares: [] }, dot, scope);
    const entries = this.#entries(value, pipeline);
    if (entries.length === 0) this.#nodes(node.otherwise, dot, { variables: new Map(), outer: scope });
    for (const [key, item] of entries) {
      const variables = new Map<string, GoValue>();
      const [first, second] = pipeline.declares;
      if (first !== undefined) variables.set(first, second === undefined ? item : key);
      if (second !== undefined) variables.set(second, item);
      try {
        this.#nodes(node.body, item, { variables, outer: scope });
      } catch (error) {
        if (!(error instanceof LoopSignal)) throw error;
        if (error.kind === "break") return;
      }
    }
  }

  #entries(value: GoValue, pipeline: Pipeline): readonly (readonly [GoValue, GoValue])[] {
    if (value === undefined || value === null) return [];
    if (value instanceof GoInt)
      return Array.from({ length: value.value }, (_, index) => [new GoInt(index), new GoInt(index)] as const);
    if (isArray(value)) return value.map((item, index) => [new GoInt(index), item] as const);
    if (isObject(value)) {
      return Object.keys(value)
        .sort()
        .map((key) => [key, value[key]] as const);
    }
    throw this.#failure(pipeline, pipeline.source, `range can't iterate over ${printValue(value)}`);
  }

  #failure(pipeline: Pipeline, at: string, message: string): TemplateError {
    const column = pipeline.column + pipeline.source.lastIndexOf(at) + chainStart(at);
    return new TemplateError(`template: output:${pipeline.line}:${column}: executing "output" at <${at}>: ${message}`);
  }

  #pipeline(pipeline: Pipeline, dot: GoValue, scope: Scope): GoValue {
    let value: GoValue;
    let piped = false;
    for (const command of pipeline.commands) {
      value = this.#command(command, pipeline, dot, scope, piped ? [value] : []);
      piped = true;
    }
    for (const name of pipeline.declares) {
      if (!pipeline.assigns) {
        scope.variables.set(name, value);
        continue;
      }
      let holder: Scope | undefined = scope;
      while (holder !== undefined && !holder.variables.has(name)) holder = holder.outer;
      if (holder === undefined)
        throw new TemplateError(`template: output:${pipeline.line}: undefined variable ${JSON.stringify(name)}`);
      holder.variables.set(name, value);
    }
    return value;
  }

  #command(terms: readonly Term[], pipeline: Pipeline, dot: GoValue, scope: Scope, piped: readonly GoValue[]): GoValue {
    const [first, ...rest] = terms;
    if (first?.type !== "function") {
      if (rest.length > 0 || piped.length > 0) {
        const source = first !== undefined && "source" in first ? first.source : pipeline.source;
        throw this.#failure(pipeline, source, `can't give argument to non-function ${source}`);
      }
      return this.#term(first as Term, pipeline, dot, scope);
    }
    const lazy = first.name === "and" || first.name === "or";
    const values: GoValue[] = [];
    for (const term of rest) {
      const value = this.#term(term, pipeline, dot, scope);
      values.push(value);
      // `and` and `or` stop at the argument that decides.
      if (lazy && isTrue(value) === (first.name === "or")) return value;
    }
    try {
      return callFunction(first.name, [...values, ...piped]);
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      throw this.#failure(pipeline, pipeline.source, `error calling ${first.name}: ${error.message}`);
    }
  }

  #term(term: Term, pipeline: Pipeline, dot: GoValue, scope: Scope): GoValue {
    switch (term.type) {
      case "dot":
        return dot;
      case "nil":
        return null;
      case "int":
        return new GoInt(term.value);
      case "text":
      case "float":
      case "bool":
        return term.value;
      case "field":
        return this.#fields(dot, term.names, term.source, pipeline);
      case "variable":
        return this.#fields(this.#variable(term.name, pipeline, scope), term.names, term.source, pipeline);
      case "group":
        return this.#fields(this.#pipeline(term.pipeline, dot, scope), term.names, lastWordOf(term.pipeline), term.pipeline);
      case "function":
        return callFunction(term.name, []);
    }
  }

  #variable(name: string, pipeline: Pipeline, scope: Scope): GoValue {
    for (let holder: Scope | undefined = scope; holder !== undefined; holder = holder.outer) {
      if (holder.variables.has(name)) return holder.variables.get(name);
    }
    throw new TemplateError(`template: output:${pipeline.line}: undefined variable ${JSON.stringify(name)}`);
  }

  #fields(start: GoValue, names: readonly string[], source: string, pipeline: Pipeline): GoValue {
    let value = start;
    for (const name of names) {
      if (value === undefined) return undefined;
      if (value === null) {
        throw this.#failure(pipeline, source, `nil pointer evaluating interface {}.${name}`);
      }
      if (!isObject(value)) {
        const type = value instanceof GoInt ? "int" : "interface {}";
        throw this.#failure(pipeline, source, `can't evaluate field ${name} in type ${type}`);
      }
      if (Object.hasOwn(value, name)) value = value[name];
      else if (this.#failOnMissing) throw this.#failure(pipeline, source, `map has no entry for key ${JSON.stringify(name)}`);
      else value = undefined;
    }
    return value;
  }
}

export class GoTemplate {
  readonly #nodes: readonly Node[];
  readonly #failOnMissing: boolean;

  /** Throws TemplateError for a malformed template. */
  constructor(source: string, options: { readonly failOnMissingKey?: boolean } = {}) {
    this.#nodes = parseGoTemplate(source);
    this.#failOnMissing = options.failOnMissingKey === true;
  }

  /** Throws ExecutionError. */
  execute(data: JsonValue): string {
    return new Execution(this.#failOnMissing).run(this.#nodes, data);
  }
}
