// `-o` for single objects and lists: json, yaml, kyaml, name, jsonpath, go-template, custom-columns.

import { jsonText, sortedKeys, writeCompactJson, writeIndentedJson } from "#cluster/api/json-write.ts";
import { goText, JsonPath } from "#cluster/api/jsonpath/evaluate.ts";
import { JsonPathError, relaxedExpression } from "#cluster/api/jsonpath/parse.ts";
import type { JsonValue } from "#cluster/api/wire.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import { SysError } from "#sim/errors.ts";
import { objectLabel } from "../client/discovery.ts";
import type { Context } from "../context.ts";
import { arrayAt, isArray, isObject, type JsonObject, valueAt, withValue, writeOrderedJson, writeYaml } from "../documents.ts";
import { KubectlError, PrintedError } from "../errors.ts";
import { ExecutionError, GoTemplate, TemplateError } from "../go-template/evaluate.ts";
import { printValue } from "../go-template/functions.ts";
import { writeKyaml } from "./kyaml.ts";
import { TabWriter } from "./tab-writer.ts";

/** The text for one object; YAML printers put `---` between objects. */
export type ObjectPrinter = (object: JsonObject) => string;

const jsonPathFormats = ["jsonpath", "jsonpath-as-json", "jsonpath-file"];
const templateFormats = ["go-template", "go-template-file", "template", "templatefile"];
const columnFormats = ["custom-columns", "custom-columns-file"];
const plainFormats = ["json", "yaml", "kyaml"];

export function unknownFormat(format: string, allowed: readonly string[]): KubectlError {
  return new KubectlError(
    `unable to match a printer suitable for the output format ${JSON.stringify(format)}, allowed formats are: ${[...allowed].sort().join(",")}`,
  );
}

function withoutManagedFields(object: JsonObject): JsonObject {
  const own =
    valueAt(object, "metadata", "managedFields") === undefined
      ? object
      : withValue(object, ["metadata", "managedFields"], undefined);
  const items = own["items"];
  if (!isArray(items)) return own;
  return { ...own, items: items.map((item) => (isObject(item) ? withoutManagedFields(item) : item)) };
}

/** The names that `-o name` and messages print; lists one a line. */
export function nameLines(object: JsonObject, operation: string): string {
  if (isArray(object["items"]))
    return arrayAt(object, "items")
      .filter(isObject)
      .map((item) => nameLines(item, operation))
      .join("");
  return `${objectLabel(object)}${operation === "" ? "" : ` ${operation}`}\n`;
}

function templateText(context: Context, format: string, fileFormats: readonly string[], given: string): string {
  if (given === "") throw new KubectlError("template format specified but no template given");
  if (!fileFormats.includes(format)) return given;
  try {
    return context.self.readText(given);
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    throw new KubectlError(`error reading --template ${given}, open ${given}: ${asciiLowerCase(error.message)}`);
  }
}

/** A value as Go's %#v prints it. */
function goSyntax(value: JsonValue): string {
  if (value === null) return "interface {}(nil)";
  if (isArray(value)) return `[]interface {}{${value.map(goSyntax).join(", ")}}`;
  if (isObject(value)) {
    const fields = Object.keys(value).sort();
    return `map[string]interface {}{${fields.map((key) => `${JSON.stringify(key)}:${goSyntax(value[key] as JsonValue)}`).join(", ")}}`;
  }
  return typeof value === "string" ? JSON.stringify(value) : goText(value);
}

function jsonPathPrinter(context: Context, format: string, given: string): ObjectPrinter {
  const text = templateText(context, format, ["jsonpath-file"], given);
  let path: JsonPath;
  try {
    path = new JsonPath(text, { allowMissingKeys: context.flags.bool("allow-missing-template-keys") });
  } catch (error) {
    if (!(error instanceof JsonPathError)) throw error;
    throw new KubectlError(`error parsing jsonpath ${text}, ${error.message}`);
  }
  return (object) => {
    try {
      return format === "jsonpath-as-json" ? path.printAsJson(object) : path.print(object);
    } catch (error) {
      if (!(error instanceof JsonPathError)) throw error;
      throw new KubectlError(
        `error executing jsonpath ${JSON.stringify(text)}: Error executing template: ${error.message}. Printing more information for debugging the template:\n\ttemplate was:\n\t\t${text}\n\tobject given to jsonpath engine was:\n\t\t${goSyntax(object)}\n\n\n`,
      );
    }
  };
}

function goTemplatePrinter(context: Context, format: string, given: string, inOrder: boolean): ObjectPrinter {
  const text = templateText(context, format, ["go-template-file", "templatefile"], given);
  let template: GoTemplate;
  try {
    template = new GoTemplate(text, { failOnMissingKey: !context.flags.bool("allow-missing-template-keys") });
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    throw new KubectlError(`error parsing template ${text}, ${error.message}`);
  }
  return (object) => {
    try {
      return template.execute(object);
    } catch (error) {
      if (!(error instanceof ExecutionError)) throw error;
      const diagnosis =
        `${error.written}Error executing template: ${error.message}. Printing more information for debugging the template:\n` +
        `\ttemplate was:\n\t\t${text}\n\traw data was:\n\t\t${inOrder ? jsonText(object) : writeCompactJson(object)}\n` +
        `\tobject given to template engine was:\n\t\t${printValue(object)}\n\n`;
      throw new PrintedError(`error executing template ${JSON.stringify(text)}: ${error.message}`, diagnosis);
    }
  };
}

interface CustomColumn {
  readonly header: string;
  readonly path: JsonPath;
}

function customColumn(header: string, expression: string): CustomColumn {
  try {
    return { header, path: new JsonPath(relaxedExpression(expression), { allowMissingKeys: true }) };
  } catch (error) {
    if (!(error instanceof JsonPathError)) throw error;
    throw new KubectlError(error.message);
  }
}

function customColumns(context: Context, format: string, given: string): readonly CustomColumn[] {
  if (given === "") throw new KubectlError("custom-columns format specified but no custom columns given");
  if (format === "custom-columns") {
    return given.split(",").map((spec) => {
      const colon = spec.indexOf(":");
      if (colon < 0) throw new KubectlError(`unexpected custom-columns spec: ${spec}, expected <header>:<json-path-expr>`);
      return customColumn(spec.slice(0, colon), spec.slice(colon + 1));
    });
  }
  let text: string;
  try {
    text = context.self.readText(given);
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    throw new KubectlError(`error reading template ${given}, open ${given}: ${asciiLowerCase(error.message)}\n`);
  }
  const [headerLine = "", specLine] = text.split("\n");
  const words = (line: string) => line.split(/\s+/).filter((word) => word !== "");
  if (specLine === undefined) {
    throw new KubectlError(
      "invalid template, missing spec line. Expected format is one line of space separated headers, one line of space separated column specs.",
    );
  }
  const headers = words(headerLine);
  const specs = words(specLine);
  if (headers.length !== specs.length) {
    throw new KubectlError(`number of headers (${headers.length}) and field specifications (${specs.length}) don't match`);
  }
  return headers.map((header, index) => customColumn(header, specs[index] as string));
}

function customColumnsPrinter(context: Context, format: string, given: string): ObjectPrinter {
  const columns = customColumns(context, format, given);
  const writer = new TabWriter({ remember: true });
  let headersWanted = !(context.flags.has("no-headers") && context.flags.bool("no-headers"));
  return (object) => {
    if (headersWanted) writer.row(columns.map((column) => column.header));
    headersWanted = false;
    const items = isArray(object["items"]) ? arrayAt(object, "items") : [object];
    for (const item of items) {
      writer.row(
        columns.map((column) => {
          const values = column.path.find(item);
          if ((values[0] ?? []).length === 0) return ["<none>", ...values.flat().map(goText)].join(",");
          return values.flat().map(goText).join(",");
        }),
      );
    }
    return writer.flush();
  };
}

export interface PrinterOptions {
  readonly forGet?: boolean;
  /** JSON keeps the order in which an object's fields were made: that of kubectl's own types. */
  readonly inOrder?: boolean;
}

/** The printer that `-o` (and `--template`) names; undefined for the human-readable forms ("" and "wide"). */
export function namedPrinter(context: Context, options: PrinterOptions = {}): ObjectPrinter | undefined {
  const { flags } = context;
  const template = flags.has("template") ? flags.text("template") : "";
  const output = flags.text("output");
  const wanted = template !== "" && !flags.changed("output") ? "go-template" : output;
  if (wanted === "") return undefined;
  if (options.forGet === true && wanted === "wide") return undefined;
  const equals = wanted.indexOf("=");
  const isWithin = equals >= 0 && template === "";
  const format = isWithin ? wanted.slice(0, equals) : wanted;
  const given = isWithin ? wanted.slice(equals + 1) : template;
  if (templateFormats.includes(format)) return goTemplatePrinter(context, format, given, options.inOrder === true);
  if (jsonPathFormats.includes(format)) return jsonPathPrinter(context, format, given);
  if (options.forGet === true && columnFormats.includes(format)) return customColumnsPrinter(context, format, given);
  const plain = plainPrinter(context, asciiLowerCase(wanted), options);
  if (plain !== undefined) return plain;
  const extra = options.forGet === true ? [...columnFormats, "wide"] : [];
  throw unknownFormat(wanted, [...plainFormats, "name", ...jsonPathFormats, ...templateFormats, ...extra]);
}

/** json, yaml, kyaml and name; undefined for others. */
export function plainPrinter(
  context: Context,
  format: string,
  { inOrder = false }: PrinterOptions = {},
): ObjectPrinter | undefined {
  const keep = context.flags.has("show-managed-fields") && context.flags.bool("show-managed-fields");
  const trim = (object: JsonObject) => (keep ? object : withoutManagedFields(object));
  let printed = 0;
  switch (format) {
    case "json":
      return (object) => (inOrder ? writeOrderedJson(trim(object)) : writeIndentedJson(trim(object)));
    case "yaml":
      return (object) => {
        printed += 1;
        return (printed > 1 ? "---\n" : "") + writeYaml(trim(object));
      };
    case "kyaml":
      return (object) => writeKyaml(trim(object), inOrder ? Object.keys : sortedKeys);
    case "name":
      return (object) => nameLines(object, "");
    default:
      return undefined;
  }
}

/** What a command prints of an object it changed: `-o …`, else `kind/name operation`. */
export function makeObjectPrinter(context: Context, operation: string, options: PrinterOptions = {}): ObjectPrinter {
  return namedPrinter(context, options) ?? ((object) => nameLines(object, operation));
}
