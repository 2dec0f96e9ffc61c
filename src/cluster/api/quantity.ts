// Resource quantities (`500m`, `1536Mi`, `12e6`): exact, in the canonical form of apimachinery's api/resource. An amount
// is a number of thousandths while that is exact, otherwise a bigint of billionths, the smallest unit that exists.

/** Which suffixes a quantity is written with: `Mi` (BinarySI), `M` (DecimalSI) or `e6` (DecimalExponent). */
export type QuantityFormat = "BinarySI" | "DecimalSI" | "DecimalExponent";

export interface Quantity {
  /** number: thousandths, a safe integer; bigint: billionths. */
  readonly amount: number | bigint;
  readonly format: QuantityFormat;
}

export const quantityFormatError = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const suffixError = "unable to parse quantity's suffix";

/** A text that is no quantity; the message is what the API server says. */
export class QuantityError extends Error {}

const nanosPerMilli = 1_000_000n;
const nanosPerUnit = 1_000_000_000n;
const maxBinaryNanos = (2n ** 63n - 1n) * nanosPerUnit;

const decimalExponents: { readonly [suffix: string]: number } = {
  n: -9,
  u: -6,
  m: -3,
  "": 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};
const decimalSuffixes = new Map(Object.entries(decimalExponents).map(([suffix, exponent]) => [exponent, suffix]));
const binarySuffixes = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];

/** Few different texts stand in a cluster, in many objects: parsed ones are kept, at most this many. */
const cache = new Map<string, Quantity>();
const cacheLimit = 4096;

/** Throws QuantityError. */
export function parseQuantity(text: string): Quantity {
  const cached = cache.get(text);
  if (cached !== undefined) return cached;
  const quantity = parseUncached(text);
  if (cache.size >= cacheLimit) cache.clear();
  cache.set(text, quantity);
  return quantity;
}

export function tryParseQuantity(text: string): Quantity | undefined {
  try {
    return parseQuantity(text);
  } catch {
    return undefined;
  }
}

const form = /^([+-]?)(\d*)(?:\.(\d*))?([eEinumkKMGTP]*[-+]?\d*)$/;

function parseUncached(text: string): Quantity {
  const match = text === "" ? null : form.exec(text);
  if (match === null) throw new QuantityError(quantityFormatError);
  const [, sign = "", whole = "", fraction = "", suffix = ""] = match;
  const negative = sign === "-";
  const { exponent, binaryPower, format } = readSuffix(suffix);
  // Upstream reads a missing number as 0, but not on the way that very large units take.
  if (whole + fraction === "" && binaryPower >= 5) throw new QuantityError("unable to parse numeric part of quantity");
  if (fraction === "" && exponent >= -3 && whole.length + Math.max(exponent, binaryPower * 3) <= 12) {
    const value = Number(whole) * 1024 ** binaryPower * Number(`1e${exponent + 3}`);
    return { amount: negative && value !== 0 ? -value : value, format };
  }
  return parseExactly(negative, whole + fraction, exponent - fraction.length, binaryPower, format);
}

interface Suffix {
  readonly exponent: number;
  readonly binaryPower: number;
  readonly format: QuantityFormat;
}

function readSuffix(suffix: string): Suffix {
  const decimal = Object.hasOwn(decimalExponents, suffix) ? decimalExponents[suffix] : undefined;
  if (decimal !== undefined) return { exponent: decimal, binaryPower: 0, format: "DecimalSI" };
  const binary = binarySuffixes.indexOf(suffix);
  if (binary > 0) return { exponent: 0, binaryPower: binary, format: "BinarySI" };
  if (!/^[eE][-+]?\d+$/.test(suffix)) throw new QuantityError(suffixError);
  const exponent = Number(suffix.slice(1));
  if (Math.abs(exponent) > 1000) throw new QuantityError(suffixError);
  return { exponent, binaryPower: 0, format: "DecimalExponent" };
}

/** Rounds away from zero to billionths, and caps binary quantities at 2^63-1, as upstream does. */
function parseExactly(negative: boolean, digits: string, exponent: number, binaryPower: number, format: QuantityFormat): Quantity {
  const unscaled = BigInt(digits === "" ? "0" : digits) * 1024n ** BigInt(binaryPower);
  const shift = exponent + 9;
  const power = 10n ** BigInt(Math.abs(shift));
  let nanos = shift >= 0 ? unscaled * power : (unscaled + power - 1n) / power;
  if (format === "BinarySI" && nanos > maxBinaryNanos) nanos = maxBinaryNanos;
  const kept = format === "BinarySI" && nanos > 0n && nanos < nanosPerUnit ? "DecimalSI" : format;
  return { amount: compact(negative ? -nanos : nanos), format: kept };
}

function compact(nanos: bigint): number | bigint {
  if (nanos % nanosPerMilli !== 0n) return nanos;
  const milli = Number(nanos / nanosPerMilli);
  return Number.isSafeInteger(milli) ? milli : nanos;
}

function nanosOf(quantity: Quantity): bigint {
  return typeof quantity.amount === "number" ? BigInt(quantity.amount) * nanosPerMilli : quantity.amount;
}

/** The canonical text: no fraction, the largest suffix that loses nothing. */
export function formatQuantity(quantity: Quantity): string {
  const { amount, format } = quantity;
  if (amount === 0 || amount === 0n) return "0";
  if (format === "BinarySI") {
    const units = wholeUnits(amount);
    if (units !== undefined && (units >= 1024 || units <= -1024)) return formatBinary(units);
  }
  return format === "DecimalExponent" ? formatDecimal(amount, exponentSuffix) : formatDecimal(amount, decimalSuffix);
}

function wholeUnits(amount: number | bigint): number | bigint | undefined {
  if (typeof amount === "number") return amount % 1000 === 0 ? amount / 1000 : undefined;
  return amount % nanosPerUnit === 0n ? amount / nanosPerUnit : undefined;
}

function formatBinary(units: number | bigint): string {
  let power = 0;
  let value = BigInt(units);
  while (power < binarySuffixes.length - 1 && value % 1024n === 0n) {
    value /= 1024n;
    power += 1;
  }
  return `${value}${binarySuffixes[power]}`;
}

function formatDecimal(amount: number | bigint, suffixOf: (exponent: number) => string | undefined): string {
  let exponent = typeof amount === "number" ? -3 : -9;
  let value = amount;
  while (suffixOf(exponent + 3) !== undefined) {
    if (typeof value === "number") {
      if (value % 1000 !== 0) break;
      value /= 1000;
    } else {
      if (value % 1000n !== 0n) break;
      value /= 1000n;
    }
    exponent += 3;
  }
  return `${value}${suffixOf(exponent)}`;
}

function decimalSuffix(exponent: number): string | undefined {
  return decimalSuffixes.get(exponent);
}

function exponentSuffix(exponent: number): string | undefined {
  return exponent === 0 ? "" : `e${exponent}`;
}

/**
 * What an object that was given this text shows: the canonical form, except that upstream keeps a text whose exponent is a
 * multiple of three (`5.861`, `13E6`). Throws QuantityError.
 */
export function canonicalQuantity(text: string): string {
  const known = canonicalTexts.get(text);
  if (known !== undefined) return known;
  const quantity = parseQuantity(text);
  const canonical = text !== "0" && keepsText(text) ? text : formatQuantity(quantity);
  if (canonicalTexts.size >= cacheLimit) canonicalTexts.clear();
  canonicalTexts.set(text, canonical);
  return canonical;
}

const canonicalTexts = new Map<string, string>();

function keepsText(text: string): boolean {
  const match = form.exec(text);
  if (match === null) return false;
  const [, , whole = "", fraction = "", suffix = ""] = match;
  const digits = whole.replace(/^0+/, "") || "0";
  const { exponent, binaryPower } = readSuffix(suffix);
  if (binaryPower > 0) {
    return fraction === "" && digits.length + binaryPower * 3 <= 14 && Number(digits.slice(-3)) % 8 !== 0;
  }
  const scale = exponent - fraction.length;
  const all = digits + fraction;
  return all.length <= 18 && scale >= -9 && scale % 3 === 0 && !all.endsWith("000") && !all.startsWith("0");
}

export function compareQuantities(a: Quantity, b: Quantity): number {
  if (typeof a.amount === "number" && typeof b.amount === "number") return Math.sign(a.amount - b.amount);
  const [left, right] = [nanosOf(a), nanosOf(b)];
  if (left < right) return -1;
  return left > right ? 1 : 0;
}

/** The sum, in the format of `a` unless `a` is zero. */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  const format = isZeroQuantity(a) ? b.format : a.format;
  if (typeof a.amount === "number" && typeof b.amount === "number") {
    const sum = a.amount + b.amount;
    if (Number.isSafeInteger(sum)) return { amount: sum, format };
  }
  return { amount: compact(nanosOf(a) + nanosOf(b)), format };
}

export function negateQuantity(quantity: Quantity): Quantity {
  const { amount, format } = quantity;
  return { amount: amount === 0 ? 0 : -amount, format };
}

/** The difference, in the format of `a` unless `a` is zero. */
export function subtractQuantities(a: Quantity, b: Quantity): Quantity {
  return addQuantities(a, negateQuantity(b));
}

export function isZeroQuantity(quantity: Quantity): boolean {
  return quantity.amount === 0 || quantity.amount === 0n;
}

export function quantitySign(quantity: Quantity): number {
  if (isZeroQuantity(quantity)) return 0;
  return quantity.amount > 0 ? 1 : -1;
}

/** In whole units, rounded away from zero (Quantity.Value). */
export function quantityValue(quantity: Quantity): number {
  return scaledUp(quantity, 1000, nanosPerUnit);
}

/** In thousandths, rounded away from zero (Quantity.MilliValue): millicores. */
export function quantityMilliValue(quantity: Quantity): number {
  return scaledUp(quantity, 1, nanosPerMilli);
}

function scaledUp(quantity: Quantity, divisor: number, nanosDivisor: bigint): number {
  const { amount } = quantity;
  if (typeof amount === "number") return amount < 0 ? Math.floor(amount / divisor) : Math.ceil(amount / divisor);
  const whole = amount / nanosDivisor;
  if (amount % nanosDivisor === 0n) return Number(whole);
  return Number(amount < 0n ? whole - 1n : whole + 1n);
}
