// Names that a program uses must be there before it runs.

import { isBuiltin } from "./builtins.ts";
import { namesOf } from "./evaluate.ts";
import { formatNames } from "./formats.ts";
import { type Filter, JqSyntaxError, type Pattern } from "./syntax.ts";

interface Names {
  readonly functions: ReadonlySet<string>;
  readonly variables: ReadonlySet<string>;
}

/** Throws JqSyntaxError for a function, variable or format that is not defined. */
export function checkNames(filter: Filter, variables: readonly string[]): void {
  check(filter, { functions: new Set(), variables: new Set([...variables, "ENV", "__loc__", "__prog_args"]) });
}

function check(filter: Filter, names: Names): void {
  const all = (...filters: readonly (Filter | undefined)[]): void => {
    for (const inner of filters) if (inner !== undefined) check(inner, names);
  };
  const withVariables = (patterns: readonly Pattern[]): Names => ({
    ...names,
    variables: new Set([...names.variables, ...patterns.flatMap(namesOf)]),
  });
  switch (filter.kind) {
    case "text":
      if (filter.format !== undefined) checkFormat(filter.format);
      for (const part of filter.parts) if (typeof part !== "string") check(part, names);
      return;
    case "format":
      checkFormat(filter.name);
      return;
    case "index":
      all(filter.of, filter.key);
      return;
    case "slice":
      all(filter.of, filter.from, filter.to);
      return;
    case "iterate":
    case "negate":
    case "array":
      all(filter.of);
      return;
    case "try":
      all(filter.body, filter.handler);
      return;
    case "pipe":
    case "comma":
    case "binary":
      all(filter.left, filter.right);
      return;
    case "object":
      for (const { key, value } of filter.entries) all(key, value);
      return;
    case "if":
      all(filter.test, filter.then, filter.otherwise);
      return;
    case "reduce":
    case "foreach": {
      all(filter.source, filter.init);
      const inner = withVariables([filter.pattern]);
      check(filter.update, inner);
      if (filter.kind === "foreach" && filter.extract !== undefined) check(filter.extract, inner);
      return;
    }
    case "bind":
      all(filter.source);
      check(filter.body, withVariables(filter.patterns));
      return;
    case "variable":
      if (!names.variables.has(filter.name)) throw new JqSyntaxError(`$${filter.name} is not defined`);
      return;
    case "call": {
      const key = `${filter.name}/${filter.args.length}`;
      if (!names.functions.has(key) && !isBuiltin(key)) throw new JqSyntaxError(`${key} is not defined`);
      all(...filter.args);
      return;
    }
    case "define": {
      const { definition } = filter;
      const own = `${definition.name}/${definition.parameters.length}`;
      const functions = new Set([...names.functions, own]);
      const values = definition.parameters.filter((name) => name.startsWith("$")).map((name) => name.slice(1));
      const parameters = definition.parameters.map((name) => `${name.replace("$", "")}/0`);
      check(definition.body, {
        functions: new Set([...functions, ...parameters]),
        variables: new Set([...names.variables, ...values]),
      });
      check(filter.body, { ...names, functions });
      return;
    }
    case "label":
      check(filter.body, { ...names, variables: new Set([...names.variables, `*${filter.name}`]) });
      return;
    case "break":
      if (!names.variables.has(`*${filter.name}`)) throw new JqSyntaxError(`$*label-${filter.name} is not defined`);
      return;
    default:
  }
}

function checkFormat(name: string): void {
  if (!formatNames.includes(name)) throw new JqSyntaxError(`${name.slice(1)} is not a valid format`);
}
