// `format` of schemas: which there are, and what each asks of a string (apiextensions-apiserver's validation/formats.go and
// kube-openapi's strfmt). Names are compared without dashes.

import { dns1123LabelReasons, dns1123SubdomainReasons } from "#cluster/api/names.ts";
import { base64Fault } from "#cluster/api/scalar-faults.ts";
import { tryParseTime } from "#cluster/api/time.ts";
import { once } from "#sim/late.ts";
import { classOf } from "#sim/unicode.ts";
import { isIpv4, isIpv6 } from "./addresses.ts";
import { isRequestUri } from "./go-url.ts";

type Test = (text: string) => boolean;

const matches =
  (pattern: RegExp): Test =>
  (text) =>
    pattern.test(text);

function isCidr(text: string): boolean {
  const [address = "", length = "", more] = text.split("/");
  if (more !== undefined || !/^\d{1,3}$/.test(length)) return false;
  return (isIpv4(address) && Number(length) <= 32) || (isIpv6(address) && Number(length) <= 128);
}

const hostname = once(() => {
  const first = `[a-zA-Z0-9${classOf("S", "L")}]`;
  const inner = `[a-zA-Z0-9\\-${classOf("S", "L")}]`;
  const last = `[a-zA-Z${classOf("L")}]`;
  return new RegExp(`^(?:${first}(?:-?${first}{0,62})?|(?:${first}(?:${inner}{0,61}${first})?\\.)+${last}{2,63})$`, "u");
});

const isHostname: Test = (text) =>
  text.length <= 255 && hostname().test(text) && text.split(".").every((part) => part.length <= 63);

const uuid = (third: string, fourth: string): Test =>
  matches(new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${third}-?${fourth}-?[0-9a-f]{12}$`, "i"));

function isIsbn10(text: string): boolean {
  const digits = text.replace(/[\s-]/g, "");
  if (!/^\d{9}[\dX]$/.test(digits)) return false;
  const sum = [...digits].reduce((total, digit, index) => total + (digit === "X" ? 10 : Number(digit)) * (10 - index), 0);
  return sum % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const digits = text.replace(/[\s-]/g, "");
  if (!/^\d{13}$/.test(digits)) return false;
  return [...digits].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0) % 10 === 0;
}

const creditCard =
  /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11})$/;
const dateTime = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(?:[.,]\d+)?(?:[Zz]|[+-]\d{2}:?\d{2})?$/;

const tests: { readonly [format: string]: Test } = {
  bsonobjectid: matches(/^[0-9a-fA-F]{24}$/),
  uri: isRequestUri,
  email: matches(/^(?:[^<>]*<[^\s@<>]+@[^\s@<>]+>|[^\s@<>,]+@[^\s@<>,]+)$/),
  hostname: isHostname,
  ipv4: isIpv4,
  ipv6: isIpv6,
  cidr: isCidr,
  mac: matches(
    /^(?:[0-9a-fA-F]{2}(?:[:-][0-9a-fA-F]{2}){5}(?:(?:[:-][0-9a-fA-F]{2}){2})?|[0-9a-fA-F]{4}(?:\.[0-9a-fA-F]{4}){2,3})$/,
  ),
  uuid: uuid("[0-9a-f]{4}", "[0-9a-f]{4}"),
  uuid3: uuid("3[0-9a-f]{3}", "[0-9a-f]{4}"),
  uuid4: uuid("4[0-9a-f]{3}", "[89ab][0-9a-f]{3}"),
  uuid5: uuid("5[0-9a-f]{3}", "[89ab][0-9a-f]{3}"),
  isbn: (text) => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  creditcard: (text) => creditCard.test(text.replace(/[^0-9]/g, "")),
  ssn: matches(/^\d{3}[- ]?\d{2}[- ]?\d{4}$/),
  hexcolor: matches(/^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/),
  rgbcolor: matches(/^rgb\(\s*(?:(?:0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*,\s*){2}(?:0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*\)$/),
  byte: (text) => base64Fault(text) === undefined,
  password: () => true,
  date: (text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && tryParseTime(`${text}T00:00:00Z`) !== undefined,
  datetime: (text) => dateTime.test(text) && tryParseTime(`${text.slice(0, 10)}T00:00:00Z`) !== undefined,
  duration: matches(
    /^[+-]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+|\d+(?:\.\d+)?\s*(?:ns|nano(?:second)?s?|us|µs|micros?(?:econd)?s?|ms|milli(?:second)?s?|s|sec(?:ond)?s?|m|min(?:ute)?s?|h|hr|hours?|d|days?|w|weeks?|wk))$/,
  ),
  k8sshortname: (text) => dns1123LabelReasons(text).length === 0,
  k8slongname: (text) => dns1123SubdomainReasons(text).length === 0,
};

const numberFormats: { readonly [type: string]: readonly string[] } = {
  integer: ["int32", "int64"],
  number: ["float", "double"],
};

/** Whether the server looks at a format at all: unknown ones are ignored, with a warning when the definition is written. */
export function isKnownFormat(type: string | undefined, format: string): boolean {
  if (type === undefined || type === "" || type === "string") return Object.hasOwn(tests, format.replaceAll("-", ""));
  return numberFormats[type]?.includes(format) === true;
}

/** Whether a string has a known format. */
export function hasFormat(text: string, format: string): boolean {
  return tests[format.replaceAll("-", "")]?.(text) ?? true;
}
