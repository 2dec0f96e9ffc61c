// The messages of an OpenAPI document of version 2 in protobuf (gnostic's OpenAPIv2.proto): which field carries which key of
// the JSON, and which of several messages carries a value.

import type { JsonValue } from "#cluster/api/wire.ts";

/** How a value travels: a primitive, the name of a message, or such a thing repeated. `any` is text in YAML. */
export type Form = "text" | "boolean" | "integer" | "double" | "any" | { readonly message: string } | { readonly list: Form };

/** A field's number and what is in it. */
export type Field = readonly [number: number, form: Form];

/** A JSON object whose keys are fields. */
interface Fields {
  readonly fields: ReadonlyMap<string, Field>;
  /** Number of the field that has the keys beginning with `x-`. */
  readonly extensions?: number;
  /** For all other keys, each in a message of its name (1) and value (2). Without it such keys do not travel. */
  readonly others?: Field;
}

/** A message around a value that may be one of several things: the one of its fields that is set. */
interface Choice {
  choose(value: JsonValue): Field;
}

export type Message = Fields | Choice;

const message = (name: string): Form => ({ message: name });
const listOf = (form: Form): Form => ({ list: form });
const schema = message("Schema");
const parameters = listOf(message("ParametersItem"));
const texts = listOf("text");

/** Forms of keys that mean the same in every message; all other keys are text. */
const formsByKey: { readonly [key: string]: Form } = {
  ...Object.fromEntries(
    [
      ["boolean", "required allowEmptyValue exclusiveMaximum exclusiveMinimum uniqueItems readOnly deprecated attribute wrapped"],
      ["integer", "maxLength minLength maxItems minItems maxProperties minProperties"],
      ["double", "maximum minimum multipleOf"],
      ["any", "default example"],
    ].flatMap(([form = "", keys = ""]) => keys.split(" ").map((key) => [key, form as Form] as const)),
  ),
  enum: listOf("any"),
  schemes: texts,
  consumes: texts,
  produces: texts,
  externalDocs: message("ExternalDocs"),
  schema,
  parameters,
  scopes: message("Oauth2Scopes"),
  security: listOf(message("SecurityRequirement")),
};

/** `names`: in the order of their numbers, from 1 up. */
function fields(extensions: number | undefined, names: string, own: { readonly [name: string]: Form } = {}): Fields {
  const form = (name: string): Form => own[name] ?? formsByKey[name] ?? "text";
  const known = new Map(names.split(" ").map((name, index): [string, Field] => [name, [index + 1, form(name)]]));
  return extensions === undefined ? { fields: known } : { fields: known, extensions };
}

/** What parameters, headers and the items of lists in them have in common. */
const primitive =
  "type format items collectionFormat default maximum exclusiveMaximum minimum exclusiveMinimum " +
  "maxLength minLength pattern maxItems minItems uniqueItems enum multipleOf";

const primitiveItems = { items: message("PrimitivesItems") };
const operation = message("Operation");

function mapOf(others: Field, extensions?: number): Fields {
  return extensions === undefined ? { fields: new Map(), others } : { fields: new Map(), extensions, others };
}

function keyOf(value: JsonValue, key: string): JsonValue | undefined {
  return typeof value === "object" && value !== null ? (value as { readonly [key: string]: JsonValue })[key] : undefined;
}

/** A message of its own, or a reference to one. */
const orReference = (name: string): Choice => ({
  choose: (value) => (keyOf(value, "$ref") === undefined ? [1, message(name)] : [2, message("JsonReference")]),
});

const parameterKinds: { readonly [place: string]: Field } = {
  header: [1, message("HeaderParameterSubSchema")],
  formData: [2, message("FormDataParameterSubSchema")],
  query: [3, message("QueryParameterSubSchema")],
  path: [4, message("PathParameterSubSchema")],
};

const flows: { readonly [flow: string]: Field } = {
  implicit: [3, message("Oauth2ImplicitSecurity")],
  password: [4, message("Oauth2PasswordSecurity")],
  application: [5, message("Oauth2ApplicationSecurity")],
  accessCode: [6, message("Oauth2AccessCodeSecurity")],
};

function securityKind(value: JsonValue): Field {
  const type = keyOf(value, "type");
  if (type === "basic") return [1, message("BasicAuthenticationSecurity")];
  const flow = type === "oauth2" ? flows[String(keyOf(value, "flow"))] : undefined;
  return flow ?? [2, message("ApiKeySecurity")];
}

export const openApiMessages: ReadonlyMap<string, Message> = new Map(
  Object.entries<Message>({
    Document: fields(
      16,
      "swagger info host basePath schemes consumes produces paths definitions parameters responses security securityDefinitions tags externalDocs",
      {
        info: message("Info"),
        paths: message("Paths"),
        definitions: message("Definitions"),
        parameters: message("ParameterDefinitions"),
        responses: message("ResponseDefinitions"),
        securityDefinitions: message("SecurityDefinitions"),
        tags: listOf(message("Tag")),
      },
    ),
    Info: fields(7, "title version description termsOfService contact license", {
      contact: message("Contact"),
      license: message("License"),
    }),
    Contact: fields(4, "name url email"),
    License: fields(3, "name url"),
    Tag: fields(4, "name description externalDocs"),
    ExternalDocs: fields(3, "description url"),
    Xml: fields(6, "name namespace prefix attribute wrapped"),
    JsonReference: fields(undefined, "$ref description"),

    Paths: mapOf([2, message("PathItem")], 1),
    PathItem: fields(10, "$ref get put post delete options head patch parameters", {
      get: operation,
      put: operation,
      post: operation,
      delete: operation,
      options: operation,
      head: operation,
      patch: operation,
    }),
    Operation: fields(
      13,
      "tags summary description externalDocs operationId produces consumes parameters responses schemes deprecated security",
      { tags: texts, responses: message("Responses") },
    ),

    ParameterDefinitions: mapOf([1, message("Parameter")]),
    ParametersItem: orReference("Parameter"),
    Parameter: {
      choose: (value) => (keyOf(value, "in") === "body" ? [1, message("BodyParameter")] : [2, message("NonBodyParameter")]),
    },
    NonBodyParameter: {
      choose: (value) => parameterKinds[String(keyOf(value, "in"))] ?? [3, message("QueryParameterSubSchema")],
    },
    BodyParameter: fields(6, "description name in required schema"),
    HeaderParameterSubSchema: fields(22, `required in description name ${primitive}`, primitiveItems),
    PathParameterSubSchema: fields(22, `required in description name ${primitive}`, primitiveItems),
    QueryParameterSubSchema: fields(23, `required in description name allowEmptyValue ${primitive}`, primitiveItems),
    FormDataParameterSubSchema: fields(23, `required in description name allowEmptyValue ${primitive}`, primitiveItems),
    PrimitivesItems: fields(18, primitive, primitiveItems),
    Header: fields(19, `${primitive} description`, primitiveItems),

    Responses: mapOf([1, message("ResponseValue")], 2),
    ResponseDefinitions: mapOf([1, message("Response")]),
    ResponseValue: orReference("Response"),
    Response: fields(5, "description schema headers examples", {
      schema: message("SchemaItem"),
      headers: message("Headers"),
      examples: message("Examples"),
    }),
    Headers: mapOf([1, message("Header")]),
    Examples: mapOf([1, "any"]),

    Definitions: mapOf([1, schema]),
    Properties: mapOf([1, schema]),
    Schema: fields(
      31,
      "$ref format title description default multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern " +
        "maxItems minItems uniqueItems maxProperties minProperties required enum additionalProperties type items allOf properties " +
        "discriminator readOnly xml externalDocs example",
      {
        required: texts,
        additionalProperties: message("AdditionalPropertiesItem"),
        type: message("TypeItem"),
        items: message("ItemsItem"),
        allOf: listOf(schema),
        properties: message("Properties"),
        xml: message("Xml"),
      },
    ),
    SchemaItem: { choose: (value) => (keyOf(value, "type") === "file" ? [2, message("FileSchema")] : [1, schema]) },
    FileSchema: fields(10, "format title description default required type readOnly externalDocs example", { required: texts }),
    AdditionalPropertiesItem: { choose: (value) => (typeof value === "boolean" ? [2, "boolean"] : [1, schema]) },
    TypeItem: { choose: () => [1, texts] },
    ItemsItem: { choose: () => [1, listOf(schema)] },

    SecurityRequirement: mapOf([1, message("StringArray")]),
    StringArray: { choose: () => [1, texts] },
    SecurityDefinitions: mapOf([1, message("SecurityDefinitionsItem")]),
    SecurityDefinitionsItem: { choose: securityKind },
    BasicAuthenticationSecurity: fields(3, "type description"),
    ApiKeySecurity: fields(5, "type name in description"),
    Oauth2ImplicitSecurity: fields(6, "type flow scopes authorizationUrl description"),
    Oauth2PasswordSecurity: fields(6, "type flow scopes tokenUrl description"),
    Oauth2ApplicationSecurity: fields(6, "type flow scopes tokenUrl description"),
    Oauth2AccessCodeSecurity: fields(7, "type flow scopes authorizationUrl tokenUrl description"),
    Oauth2Scopes: mapOf([1, "text"]),
  }),
);
