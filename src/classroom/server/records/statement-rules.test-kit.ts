// What IEEE 9274.1.1 (xAPI 2.0) asks of a statement, as far as ours use it. @returns what is wrong, by place.

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const timestamp = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;
const duration = /^P(?=.)(\d+D)?(T(\d+H)?(\d+M)?(\d+(\.\d{1,2})?S)?)?$/;
const languageTag = /^[a-z]{2,3}(-[A-Z][a-z]{3})?(-[A-Z]{2})?$/;

type Check = (value: unknown, at: string) => readonly string[];

const text =
  (pattern: RegExp): Check =>
  (value, at) =>
    typeof value === "string" && pattern.test(value) ? [] : [`${at}: ${JSON.stringify(value)}`];
/** Absolute, with a scheme. */
const iri: Check = (value, at) => (typeof value === "string" && URL.canParse(value) ? [] : [`${at}: no IRI`]);
const oneOf =
  (...values: readonly unknown[]): Check =>
  (value, at) =>
    values.includes(value) ? [] : [`${at}: ${JSON.stringify(value)}`];
const isTruth = oneOf(true, false);

/** Neither null nor a name that the standard does not have. */
const object =
  (needed: Readonly<Record<string, Check>>, possible: Readonly<Record<string, Check>> = {}): Check =>
  (value, at) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return [`${at}: no object`];
    const lacking = Object.keys(needed).filter((key) => !(key in value));
    return [
      ...lacking.map((key) => `${at}.${key}: missing`),
      ...Object.entries(value).flatMap(([key, inner]) => {
        const check = needed[key] ?? possible[key];
        return check === undefined ? [`${at}.${key}: not known`] : check(inner, `${at}.${key}`);
      }),
    ];
  };
const list =
  (check: Check): Check =>
  (value, at) =>
    Array.isArray(value) && value.length > 0 ? value.flatMap((one, index) => check(one, `${at}[${index}]`)) : [`${at}: no list`];
const languageMap: Check = (value, at) =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([tag, words]) => [...text(languageTag)(tag, at), ...text(/./)(words, `${at}.${tag}`)])
    : [`${at}: no words`];

const score: Check = (value, at) => {
  const wrong = object({}, { scaled: number, raw: number, min: number, max: number })(value, at);
  if (wrong.length > 0) return wrong;
  const { scaled = 0, raw = 0, min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = value as Record<string, number>;
  return [
    ...(scaled >= -1 && scaled <= 1 ? [] : [`${at}.scaled: ${scaled}`]),
    ...(min < max && raw >= min && raw <= max ? [] : [`${at}: ${raw} is not between ${min} and ${max}`]),
  ];
};
function number(value: unknown, at: string): readonly string[] {
  return typeof value === "number" && Number.isFinite(value) ? [] : [`${at}: no number`];
}

const activity = object(
  { id: iri, objectType: oneOf("Activity") },
  { definition: object({}, { type: iri, name: languageMap, description: languageMap, moreInfo: iri }) },
);
const activities = list(activity);

export const breaches = (statement: unknown): readonly string[] =>
  object(
    {
      id: text(uuid),
      actor: object({ account: object({ homePage: iri, name: text(/./) }), objectType: oneOf("Agent") }, { name: text(/./) }),
      verb: object({ id: iri }, { display: languageMap }),
      object: activity,
    },
    {
      version: text(/^2\.0\.\d+$/),
      timestamp: text(timestamp),
      result: object({}, { score, success: isTruth, completion: isTruth, duration: text(duration), response: text(/./) }),
      context: object(
        {},
        {
          registration: text(uuid),
          platform: text(/./),
          language: text(languageTag),
          contextActivities: object({}, { parent: activities, grouping: activities, category: activities, other: activities }),
        },
      ),
    },
  )(statement, "statement");
