// The rules for names of objects and of the things inside them. Each function gives the reasons why a text is not
// allowed, in the words of apimachinery's util/validation; an empty list means that it is.

const dns1123Label = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const dns1123Subdomain = `${dns1123Label}(\\.${dns1123Label})*`;
const wildcardSubdomain = `\\*\\.${dns1123Subdomain}`;
const dns1035Label = "[a-z]([-a-z0-9]*[a-z0-9])?";
const qualifiedNamePart = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const labelValue = `(${qualifiedNamePart})?`;
const configMapKey = "[-._a-zA-Z0-9]+";

const whole = (pattern: string) => new RegExp(`^(?:${pattern})$`);
const dns1123LabelRegex = whole(dns1123Label);
const dns1123SubdomainRegex = whole(dns1123Subdomain);
const wildcardSubdomainRegex = whole(wildcardSubdomain);
const dns1035LabelRegex = whole(dns1035Label);
const qualifiedNamePartRegex = whole(qualifiedNamePart);
const labelValueRegex = whole(labelValue);
const configMapKeyRegex = whole(configMapKey);

export const maxSubdomainLength = 253;
export const maxLabelLength = 63;

/** Why a text is not allowed; empty when it is. */
export type Reasons = readonly string[];
const none: Reasons = [];

/** `must be no more than 63 characters`: the wording for names. */
export function maxLengthReason(length: number): string {
  return `must be no more than ${length} characters`;
}

/** `must be no more than 63 bytes`: the wording for label keys and values. */
export function maxBytesReason(length: number): string {
  return `must be no more than ${length} bytes`;
}

export function rangeReason(low: number, high: number): string {
  return `must be between ${low} and ${high}, inclusive`;
}

/** The sentence, examples and the expression, joined as upstream joins them (two blanks before a further `or`). */
export function regexReason(message: string, pattern: string, ...examples: readonly string[]): string {
  if (examples.length === 0) return `${message} (regex used for validation is '${pattern}')`;
  const listed = examples.map((example) => `'${example}', `).join(" or ");
  return `${message} (e.g. ${listed}regex used for validation is '${pattern}')`;
}

export function dns1123LabelReasons(value: string): Reasons {
  if (value.length <= maxLabelLength && dns1123LabelRegex.test(value)) return none;
  const reasons: string[] = [];
  if (value.length > maxLabelLength) reasons.push(maxLengthReason(maxLabelLength));
  if (!dns1123LabelRegex.test(value)) {
    if (dns1123SubdomainRegex.test(value)) reasons.push("must not contain dots");
    else {
      reasons.push(
        regexReason(
          "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
          dns1123Label,
          "my-name",
          "123-abc",
        ),
      );
    }
  }
  return reasons;
}

export function dns1123SubdomainReasons(value: string): Reasons {
  if (value.length <= maxSubdomainLength && dns1123SubdomainRegex.test(value)) return none;
  return lengthAndForm(
    value,
    maxSubdomainLength,
    dns1123SubdomainRegex,
    regexReason(
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
      dns1123Subdomain,
      "example.com",
    ),
  );
}

/** The host of a rule or certificate: `*.` and a subdomain. */
export function wildcardSubdomainReasons(value: string): Reasons {
  return lengthAndForm(
    value,
    maxSubdomainLength,
    wildcardSubdomainRegex,
    regexReason(
      "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
      wildcardSubdomain,
      "*.example.com",
    ),
  );
}

export function dns1035LabelReasons(value: string): Reasons {
  return lengthAndForm(
    value,
    maxLabelLength,
    dns1035LabelRegex,
    regexReason(
      "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
      dns1035Label,
      "my-name",
      "abc-123",
    ),
  );
}

/** A label or annotation key, a finalizer, a resource name: `[prefix/]name`. */
export function qualifiedNameReasons(value: string): Reasons {
  if (value.length <= maxLabelLength && qualifiedNamePartRegex.test(value)) return none;
  const parts = value.split("/");
  const reasons: string[] = [];
  let name = value;
  if (parts.length === 2) {
    const prefix = parts[0] as string;
    name = parts[1] as string;
    if (prefix === "") reasons.push("prefix part must be non-empty");
    else for (const reason of prefixReasons(prefix)) reasons.push(`prefix part ${reason}`);
  } else if (parts.length > 2) {
    return [
      `${regexReason(
        "a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
        qualifiedNamePart,
        "MyName",
        "my.name",
        "123-abc",
      )} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  if (name === "") reasons.push("name part must be non-empty");
  else if (name.length > maxLabelLength) reasons.push(`name part ${maxBytesReason(maxLabelLength)}`);
  if (!qualifiedNamePartRegex.test(name)) {
    reasons.push(
      `name part ${regexReason(
        "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
        qualifiedNamePart,
        "MyName",
        "my.name",
        "123-abc",
      )}`,
    );
  }
  return reasons;
}

function prefixReasons(prefix: string): Reasons {
  const reasons = dns1123SubdomainReasons(prefix);
  return prefix.length > maxSubdomainLength ? [maxBytesReason(maxSubdomainLength), ...reasons.slice(1)] : reasons;
}

export function labelValueReasons(value: string): Reasons {
  if (value.length <= maxLabelLength && labelValueRegex.test(value)) return none;
  return lengthAndForm(
    value,
    maxLabelLength,
    labelValueRegex,
    regexReason(
      "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
      labelValue,
      "MyValue",
      "my_value",
      "12345",
    ),
    maxBytesReason,
  );
}

/** A key of a ConfigMap's or Secret's data. */
export function configMapKeyReasons(value: string): Reasons {
  const reasons = lengthAndForm(
    value,
    maxSubdomainLength,
    configMapKeyRegex,
    regexReason(
      "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
      configMapKey,
      "key.name",
      "KEY_NAME",
      "key-name",
    ),
  );
  return [...reasons, ...parentFolderReasons(value)];
}

/** The relaxed rule (RelaxedEnvironmentVariableValidation): printable ASCII other than `=`. */
export function relaxedEnvironmentNameReasons(value: string): Reasons {
  if (value === "") return ["environment variable name must be non-empty"];
  return /^[\x20-\x3c\x3e-\x7e]+$/.test(value)
    ? none
    : ["a valid environment variable name must consist only of printable ASCII characters other than '='"];
}

/** The name of a container's or Service's port when used as an IANA service name. */
export function portNameReasons(value: string): Reasons {
  const reasons: string[] = [];
  if (value.length > 15) reasons.push(maxLengthReason(15));
  if (!/^[-a-z0-9]+$/.test(value)) reasons.push("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
  if (!/[a-z]/.test(value)) reasons.push("must contain at least one letter (a-z)");
  if (value.includes("--")) reasons.push("must not contain consecutive hyphens");
  if (value !== "" && (value.startsWith("-") || value.endsWith("-"))) reasons.push("must not begin or end with a hyphen");
  return reasons;
}

export function portNumberReasons(port: number): Reasons {
  return port >= 1 && port <= 65_535 ? none : [rangeReason(1, 65_535)];
}

/** A name that may stand in a URL's path: the rule for RBAC's kinds. */
export function pathSegmentReasons(value: string): Reasons {
  if (value === ".") return ["may not be '.'"];
  if (value === "..") return ["may not be '..'"];
  return pathSegmentPrefixReasons(value);
}

/** The same for generateName, where more characters follow. */
export function pathSegmentPrefixReasons(value: string): Reasons {
  const reasons: string[] = [];
  if (value.includes("/")) reasons.push("may not contain '/'");
  if (value.includes("%")) reasons.push("may not contain '%'");
  return reasons;
}

function parentFolderReasons(value: string): Reasons {
  if (value === ".") return ["must not be '.'"];
  if (value === "..") return ["must not be '..'"];
  return value.startsWith("..") ? ["must not start with '..'"] : none;
}

function lengthAndForm(
  value: string,
  maxLength: number,
  form: RegExp,
  formReason: string,
  lengthReason: (length: number) => string = maxLengthReason,
): Reasons {
  const reasons: string[] = [];
  if (value.length > maxLength) reasons.push(lengthReason(maxLength));
  if (!form.test(value)) reasons.push(formReason);
  return reasons;
}

/** No vowels, so that no words come out; no 0, 1, 3, which look like letters. */
export const generatedNameAlphabet = "bcdfghjklmnpqrstvwxz2456789";
const generatedSuffixLength = 5;
const maxGeneratedBaseLength = maxLabelLength - generatedSuffixLength;

/** A name made of `base`, cut to 58 characters, and five characters; `random` gives integers in [0, limit). */
export function generateName(base: string, random: (limit: number) => number): string {
  let name = base.length > maxGeneratedBaseLength ? base.slice(0, maxGeneratedBaseLength) : base;
  for (let index = 0; index < generatedSuffixLength; index += 1) {
    name += generatedNameAlphabet[random(generatedNameAlphabet.length)];
  }
  return name;
}

/** A name prefix as validated: for generateName a trailing `-` stands for what will follow (NameIsDNSSubdomain's prefix rule). */
export function maskTrailingDash(name: string): string {
  return name.length > 1 && name.endsWith("-") ? `${name.slice(0, -2)}a` : name;
}
