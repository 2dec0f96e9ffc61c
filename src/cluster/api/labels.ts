// Label selectors: the text grammar of `kubectl -l`, the LabelSelector object, and matching. Texts of errors as in
// apimachinery's labels package.

import { compareTexts } from "#sim/compare-texts.ts";
import type { LabelSelector } from "./generated/types.ts";
import { LabelLexer, type LabelToken } from "./label-lexer.ts";
import { labelValueReasons, qualifiedNameReasons } from "./names.ts";

export type LabelOperator = "=" | "==" | "!=" | "in" | "notin" | "exists" | "!" | "gt" | "lt";

/** One condition on one label. Values are sorted and unique when parsed from text. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  readonly values: readonly string[];
}

export type Labels = { readonly [key: string]: string };

/** Whether an object's labels satisfy a selector. Absent labels count as none. */
export type LabelMatcher = (labels: Labels | undefined) => boolean;

/** A selector that does not parse; the message is what the API server and kubectl say. */
export class SelectorError extends Error {}

const binaryOperators: readonly LabelOperator[] = ["in", "notin", "=", "==", "!=", "gt", "lt"];
const allOperators: readonly LabelOperator[] = [...binaryOperators, "exists", "!"];
const operatorOfToken: { readonly [token in LabelToken["kind"]]?: LabelOperator } = {
  in: "in",
  notin: "notin",
  "=": "=",
  "==": "==",
  "!=": "!=",
  ">": "gt",
  "<": "lt",
};

/** The requirements of `app=web,tier in (a, b),!legacy`, sorted by key. Throws SelectorError. */
export function parseLabelSelector(text: string): readonly LabelRequirement[] {
  const requirements = new Parser(text).parse();
  return requirements.sort(byKey);
}

/** Go's string order is by bytes; label keys are ASCII. */
function byKey(a: LabelRequirement, b: LabelRequirement): number {
  return compareTexts(a.key, b.key);
}

class Parser {
  readonly #lexer: LabelLexer;

  constructor(text: string) {
    this.#lexer = new LabelLexer(text);
  }

  parse(): LabelRequirement[] {
    const requirements: LabelRequirement[] = [];
    for (;;) {
      const token = this.#lexer.peek();
      if (token.kind === "end") return requirements;
      if (!startsRequirement(token)) {
        throw new SelectorError(`found '${token.text}', expected: !, identifier, or 'end of string'`);
      }
      requirements.push(this.#wrapped());
      const next = this.#lexer.take();
      if (next.kind === "end") return requirements;
      if (next.kind !== ",") throw new SelectorError(`found '${next.text}', expected: ',' or 'end of string'`);
      const following = this.#lexer.peek();
      if (!startsRequirement(following)) {
        throw new SelectorError(`found '${following.text}', expected: identifier after ','`);
      }
    }
  }

  #wrapped(): LabelRequirement {
    try {
      return this.#requirement();
    } catch (error) {
      if (error instanceof SelectorError) throw new SelectorError(`unable to parse requirement: ${error.message}`);
      throw error;
    }
  }

  #requirement(): LabelRequirement {
    let token = this.#lexer.take();
    const negated = token.kind === "!";
    if (negated) token = this.#lexer.take();
    if (!isWord(token)) throw new SelectorError(`found '${token.text}', expected: identifier`);
    const key = token.text;
    const reasons = qualifiedNameReasons(key);
    if (reasons.length > 0) throw new SelectorError(`<nil>: Invalid value: ${JSON.stringify(key)}: ${reasons.join("; ")}`);
    const next = this.#lexer.peek();
    if (negated) return labelRequirement(key, "!", []);
    if (next.kind === "end" || next.kind === ",") return labelRequirement(key, "exists", []);
    const operator = this.#operator();
    const values = operator === "in" || operator === "notin" ? this.#values() : [this.#value()];
    return labelRequirement(key, operator, [...new Set(values)].sort());
  }

  #operator(): LabelOperator {
    const token = this.#lexer.take();
    const operator = operatorOfToken[token.kind];
    if (operator === undefined) throw new SelectorError(`found '${token.text}', expected: ${binaryOperators.join(", ")}`);
    return operator;
  }

  #value(): string {
    const next = this.#lexer.peek();
    if (next.kind === "end" || next.kind === ",") return "";
    const token = this.#lexer.take();
    if (!isWord(token)) throw new SelectorError(`found '${token.text}', expected: identifier`);
    return token.text;
  }

  /** `(a, b)`; an empty place between commas is the empty value. */
  #values(): string[] {
    const open = this.#lexer.take();
    if (open.kind !== "(") throw new SelectorError(`found '${open.text}' expected: '('`);
    const first = this.#lexer.peek();
    if (first.kind === ")") {
      this.#lexer.take();
      return [""];
    }
    if (!isWord(first) && first.kind !== ",") {
      throw new SelectorError(`found '${first.text}', expected: ',', ')' or identifier`);
    }
    const values = this.#list();
    this.#lexer.take();
    return values;
  }

  #list(): string[] {
    const values: string[] = [];
    for (;;) {
      const token = this.#lexer.take();
      const next = this.#lexer.peek();
      if (isWord(token)) {
        values.push(token.text);
        if (next.kind === ")") return values;
        if (next.kind !== ",") throw new SelectorError(`found '${next.text}', expected: ',' or ')'`);
      } else if (token.kind === ",") {
        if (values.length === 0 || next.kind === ",") values.push("");
        if (next.kind === ")") return [...values, ""];
      } else {
        throw new SelectorError(`found '${token.text}', expected: ',', or identifier`);
      }
    }
  }
}

/** `in` and `notin` are words wherever no operator can stand. */
function isWord(token: LabelToken): boolean {
  return token.kind === "word" || token.kind === "in" || token.kind === "notin";
}

function startsRequirement(token: LabelToken): boolean {
  return isWord(token) || token.kind === "!";
}

const integer = /^[+-]?\d+$/;

/** A checked requirement. Throws SelectorError with all that is wrong. */
export function labelRequirement(key: string, operator: LabelOperator, values: readonly string[]): LabelRequirement {
  const errors: string[] = [];
  const keyReasons = qualifiedNameReasons(key);
  if (keyReasons.length > 0) errors.push(`key: Invalid value: ${JSON.stringify(key)}: ${keyReasons.join("; ")}`);
  const invalidValues = (detail: string) => errors.push(`values: Invalid value: ${JSON.stringify(values)}: ${detail}`);
  switch (operator) {
    case "in":
    case "notin":
      if (values.length === 0) invalidValues("for 'in', 'notin' operators, values set can't be empty");
      break;
    case "=":
    case "==":
    case "!=":
      if (values.length !== 1) invalidValues("exact-match compatibility requires one single value");
      break;
    case "exists":
    case "!":
      if (values.length !== 0) invalidValues("values set must be empty for exists and does not exist");
      break;
    case "gt":
    case "lt":
      if (values.length !== 1) invalidValues("for 'Gt', 'Lt' operators, exactly one value is required");
      values.forEach((value, index) => {
        if (integer.test(value)) return;
        const detail = "for 'Gt', 'Lt' operators, the value must be an integer";
        errors.push(`values[${index}]: Invalid value: ${JSON.stringify(value)}: ${detail}`);
      });
      break;
    default: {
      const supported = [...allOperators].sort().map((name) => JSON.stringify(name));
      errors.push(`operator: Unsupported value: ${JSON.stringify(operator)}: supported values: ${supported.join(", ")}`);
    }
  }
  values.forEach((value, index) => {
    const reasons = labelValueReasons(value);
    if (reasons.length > 0) {
      errors.push(`values[${index}][${key}]: Invalid value: ${JSON.stringify(value)}: ${reasons.join("; ")}`);
    }
  });
  if (errors.length > 0) throw new SelectorError(errors.length === 1 ? (errors[0] as string) : `[${errors.join(", ")}]`);
  return { key, operator, values };
}

/** The text of requirements, as selectors print themselves. */
export function formatRequirements(requirements: readonly LabelRequirement[]): string {
  return requirements.map(formatRequirement).join(",");
}

function formatRequirement({ key, operator, values }: LabelRequirement): string {
  switch (operator) {
    case "exists":
      return key;
    case "!":
      return `!${key}`;
    case "gt":
      return `${key}>${values[0]}`;
    case "lt":
      return `${key}<${values[0]}`;
    case "in":
    case "notin":
      return `${key} ${operator} (${[...values].sort().join(",")})`;
    default:
      return `${key}${operator}${values[0]}`;
  }
}

const operatorOfExpression: { readonly [operator: string]: LabelOperator } = {
  In: "in",
  NotIn: "notin",
  Exists: "exists",
  DoesNotExist: "!",
};

/** The requirements of a LabelSelector object, sorted by key. Throws SelectorError. */
export function requirementsOf(selector: LabelSelector): readonly LabelRequirement[] {
  const requirements: LabelRequirement[] = [];
  for (const [key, value] of Object.entries(selector.matchLabels ?? {})) requirements.push(labelRequirement(key, "=", [value]));
  for (const { key, operator, values } of selector.matchExpressions ?? []) {
    const own = Object.hasOwn(operatorOfExpression, operator) ? operatorOfExpression[operator] : undefined;
    if (own === undefined) throw new SelectorError(`${JSON.stringify(operator)} is not a valid label selector operator`);
    requirements.push(labelRequirement(key, own, values ?? []));
  }
  return requirements.sort(byKey);
}

/** A LabelSelector object as describe and get -o wide print it; `<none>` when it selects everything or is absent. */
export function formatLabelSelector(selector: LabelSelector | undefined): string {
  if (selector === undefined) return "<none>";
  try {
    return formatRequirements(requirementsOf(selector)) || "<none>";
  } catch (error) {
    if (error instanceof SelectorError) return "<error>";
    throw error;
  }
}

/** A selector of equalities, sorted by key: `app=web,tier=front`. A Service's or ReplicationController's selector. */
export function formatLabelSet(labels: Labels | undefined): string {
  return Object.entries(labels ?? {})
    .map(([key, value]) => `${key}=${value}`)
    .sort()
    .join(",");
}

/** The predicate of parsed requirements. */
export function compileRequirements(requirements: readonly LabelRequirement[]): LabelMatcher {
  const tests = requirements.map(compileRequirement);
  if (tests.length === 0) return () => true;
  const [only] = tests;
  if (tests.length === 1 && only !== undefined) return (labels) => only(labels ?? noLabels);
  return (labels) => {
    const present = labels ?? noLabels;
    for (const test of tests) if (!test(present)) return false;
    return true;
  };
}

const noLabels: Labels = {};
const noValues: ReadonlySet<string> = new Set();

function compileRequirement({ key, operator, values }: LabelRequirement): (labels: Labels) => boolean {
  const [first = ""] = values;
  const set = operator === "in" || operator === "notin" ? new Set(values) : noValues;
  switch (operator) {
    case "=":
    case "==":
      return (labels) => labels[key] === first;
    case "in":
      return (labels) => set.has(labels[key] as string);
    case "!=":
      return (labels) => labels[key] !== first;
    case "notin":
      return (labels) => !set.has(labels[key] as string);
    case "exists":
      return (labels) => Object.hasOwn(labels, key);
    case "!":
      return (labels) => !Object.hasOwn(labels, key);
    case "gt":
      return (labels) => compareInteger(labels[key], (value) => value > BigInt(first));
    case "lt":
      return (labels) => compareInteger(labels[key], (value) => value < BigInt(first));
  }
}

function compareInteger(value: string | undefined, test: (value: bigint) => boolean): boolean {
  return value !== undefined && integer.test(value) && test(BigInt(value.replace(/^\+/, "")));
}

/** The predicate of a text selector. Throws SelectorError. */
export function compileLabelSelector(text: string): LabelMatcher {
  return compileRequirements(parseLabelSelector(text));
}

/** The predicate of a LabelSelector object: absent selects nothing, empty selects everything. Throws SelectorError. */
export function matcherOf(selector: LabelSelector | undefined): LabelMatcher {
  return selector === undefined ? () => false : compileRequirements(requirementsOf(selector));
}

/** Predicates of the selectors in stored objects: each is compiled once, by the selector object itself. */
export class SelectorMatchers {
  readonly #matchers = new WeakMap<LabelSelector, LabelMatcher>();

  of(selector: LabelSelector | undefined): LabelMatcher {
    if (selector === undefined) return matcherOf(selector);
    const known = this.#matchers.get(selector);
    if (known !== undefined) return known;
    const matcher = matcherOf(selector);
    this.#matchers.set(selector, matcher);
    return matcher;
  }
}

/** The predicate of a plain map, which selects everything when empty (a caller for whom empty means nothing asks first). */
export function matcherOfSet(set: Labels): LabelMatcher {
  const pairs = Object.entries(set);
  return (labels) => {
    for (const [key, value] of pairs) if (labels?.[key] !== value) return false;
    return true;
  };
}
