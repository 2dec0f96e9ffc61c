// The C library's functions of real numbers: rounded right, as glibc's nearly always are, and the same on every engine. They are worked
// out in whole numbers, as fixed-point fractions of many more bits than a double holds.

/** Bits after the point. */
const places = 192;
const one = 1n << BigInt(places);

/** `value · 2^-scale` to the nearest double. */
function doubleOf(value: bigint, scale: number): number {
  const magnitude = value < 0n ? -value : value;
  // So many bits that what is dropped decides no tie.
  const extra = magnitude.toString(16).length * 4 - 80;
  let [kept, exponent] = [magnitude, -scale];
  if (extra > 0) {
    const dropped = magnitude & ((1n << BigInt(extra)) - 1n);
    kept = ((magnitude >> BigInt(extra)) << 1n) | (dropped === 0n ? 0n : 1n);
    exponent += extra - 1;
  }
  const result = timesPowerOfTwo(Number(kept), exponent);
  return value < 0n ? -result : result;
}

function timesPowerOfTwo(value: number, exponent: number): number {
  let [result, left] = [value, exponent];
  for (; left > 1000; left -= 1000) result *= 2 ** 1000;
  for (; left < -1000; left += 1000) result *= 2 ** -1000;
  return result * 2 ** left;
}

/** A finite double as `mantissa · 2^exponent`. */
function partsOf(value: number): { readonly mantissa: bigint; readonly exponent: number } {
  let [mantissa, exponent] = [value, 0];
  for (; !Number.isInteger(mantissa); mantissa *= 2) exponent -= 1;
  return { mantissa: BigInt(mantissa), exponent };
}

function shifted(value: bigint, left: number): bigint {
  return left >= 0 ? value << BigInt(left) : value >> BigInt(-left);
}

/** A double as a fixed-point fraction. */
function fixed(value: number): bigint {
  const { mantissa, exponent } = partsOf(value);
  return shifted(mantissa, exponent + places);
}

/** Rounds towards zero: a series of negative terms would have no end otherwise. */
function times(a: bigint, b: bigint, bits = places): bigint {
  const product = a * b;
  return product < 0n ? -(-product >> BigInt(bits)) : product >> BigInt(bits);
}

/** The inverse hyperbolic tangent, or with `alternates` the inverse tangent, of a small fraction. */
function inverseTangent(value: bigint, alternates: boolean, bits = places): bigint {
  const square = times(value, value, bits);
  let [power, sum] = [value, 0n];
  for (let odd = 1n; power !== 0n; odd += 2n) {
    sum += alternates && odd % 4n === 3n ? -(power / odd) : power / odd;
    power = times(power, square, bits);
  }
  return sum;
}

/** ln 2 = 2 artanh(1/3) */
const ln2 = 2n * inverseTangent(one / 3n, false);

/** The logarithm of a positive double as a fixed-point fraction. */
function fixedLog(value: number): bigint {
  const { mantissa, exponent } = partsOf(value);
  const bits = mantissa.toString(2).length;
  const scaled = shifted(mantissa, places - bits);
  return BigInt(exponent + bits) * ln2 + 2n * inverseTangent(((scaled - one) << BigInt(places)) / (scaled + one), false);
}

/** e to the power of a fixed-point fraction. */
function fixedExp(value: bigint): number {
  const halvings = 8n;
  const whole = value / ln2 - (value < 0n ? 1n : 0n);
  if (whole > 1100n) return Number.POSITIVE_INFINITY;
  if (whole < -1200n) return 0;
  const rest = (value - whole * ln2) >> halvings;
  let [term, sum] = [one, one];
  for (let n = 1n; term !== 0n; n += 1n) {
    term = times(term, rest) / n;
    sum += term;
  }
  for (let n = 0n; n < halvings; n += 1n) sum = times(sum, sum);
  return doubleOf(sum, places - Number(whole));
}

export function exp(value: number): number {
  if (!Number.isFinite(value)) return value === Number.NEGATIVE_INFINITY ? 0 : value;
  if (Math.abs(value) > 800) return value > 0 ? Number.POSITIVE_INFINITY : 0;
  return fixedExp(fixed(value));
}

export function log(value: number): number {
  return logarithm(value, one);
}

export function log2(value: number): number {
  return logarithm(value, ln2);
}

export function log10(value: number): number {
  return logarithm(value, fixedLog(10));
}

function logarithm(value: number, ofBase: bigint): number {
  if (value === 0) return Number.NEGATIVE_INFINITY;
  if (Number.isNaN(value) || value < 0) return Number.NaN;
  return value === Number.POSITIVE_INFINITY ? value : doubleOf((fixedLog(value) << BigInt(places)) / ofBase, places);
}

/** C's pow: one to any power and anything to the power of zero is one. */
export function pow(base: number, exponent: number): number {
  if (exponent === 0 || base === 1) return 1;
  if (Number.isNaN(base) || Number.isNaN(exponent)) return Number.NaN;
  const size = Math.abs(base);
  if (!Number.isFinite(exponent)) {
    if (size === 1) return 1;
    return size > 1 === exponent > 0 ? Number.POSITIVE_INFINITY : 0;
  }
  const isWhole = Number.isInteger(exponent);
  const isNegative = isWhole && Math.abs(exponent % 2) === 1 && (base < 0 || Object.is(base, -0));
  if (base < 0 && !isWhole && Number.isFinite(base)) return Number.NaN;
  return isNegative ? -positivePower(size, exponent) : positivePower(size, exponent);
}

function positivePower(base: number, exponent: number): number {
  if (base === 0 || base === Number.POSITIVE_INFINITY) return (base === 0) === exponent > 0 ? 0 : Number.POSITIVE_INFINITY;
  const { mantissa, exponent: scale } = partsOf(exponent);
  const value = shifted(fixedLog(base) * mantissa, scale);
  return fixedExp(value);
}

let piOf: { readonly bits: number; readonly value: bigint } | undefined;

/** π by Machin's formula. */
function pi(bits: number): bigint {
  if (piOf?.bits !== bits) {
    const unit = 1n << BigInt(bits);
    piOf = { bits, value: 16n * inverseTangent(unit / 5n, true, bits) - 4n * inverseTangent(unit / 239n, true, bits) };
  }
  return piOf.value;
}

/** Up to here the next term of the series is no longer seen. */
const smallAngle = 1e-8;

export function sin(value: number): number {
  if (!Number.isFinite(value)) return Number.NaN;
  if (value === 0) return value;
  return Math.abs(value) < smallAngle ? value - (value * value * value) / 6 : turned(value, 0);
}

export function cos(value: number): number {
  return Number.isFinite(value) ? turned(value, 1) : Number.NaN;
}

/** The sine of an angle some quarters of a circle on. */
function turned(value: number, quarters: number): number {
  const { mantissa, exponent } = partsOf(value);
  // Large angles take so many more digits of π.
  const bits = places + Math.max(0, mantissa.toString(2).length + exponent);
  const quarter = pi(bits) >> 1n;
  const angle = shifted(mantissa, exponent + bits);
  const whole = angle / quarter - (angle < 0n ? 1n : 0n);
  const rest = (angle - whole * quarter) >> BigInt(bits - places);
  const place = (((Number(whole % 4n) + quarters) % 4) + 4) % 4;
  const result = place % 2 === 0 ? series(rest, rest, 1n) : series(rest, one, 0n);
  return doubleOf(place < 2 ? result : -result, places);
}

/** `first - first·x²/((n+1)(n+2)) + …` */
function series(x: bigint, first: bigint, from: bigint): bigint {
  const square = times(x, x);
  let [term, sum] = [first, first];
  for (let n = from; term !== 0n; n += 2n) {
    term = -times(term, square) / ((n + 1n) * (n + 2n));
    sum += term;
  }
  return sum;
}

export function atan2(y: number, x: number): number {
  if (Number.isNaN(y) || Number.isNaN(x)) return Number.NaN;
  const isBehind = x < 0 || Object.is(x, -0);
  const [height, width] = [Math.abs(y), Math.abs(x)];
  const sign = y < 0 || Object.is(y, -0) ? -1 : 1;
  if (!isBehind && (height === 0 || height < width * 1e-20)) return sign * (height / width || 0);
  const circle = pi(places);
  const angle = angleOf(height, width, circle);
  return sign * doubleOf(isBehind ? circle - angle : angle, places);
}

/** Between the axis and a point above it, before a quarter of a circle. */
function angleOf(height: number, width: number, circle: bigint): bigint {
  if (height === 0) return 0n;
  if (height === width) return circle >> 2n;
  if (height > width) return (circle >> 1n) - angleOf(width, height, circle);
  if (height === 0 || width === Number.POSITIVE_INFINITY) return 0n;
  const [top, bottom] = [partsOf(height), partsOf(width)];
  let ratio = shifted(top.mantissa << BigInt(places), Math.max(-4000, top.exponent - bottom.exponent)) / bottom.mantissa;
  // Half of the angle each time.
  for (let times2 = 0; times2 < 3; times2 += 1)
    ratio = (ratio << BigInt(places)) / (one + squareRoot((one << BigInt(places)) + ratio * ratio));
  return inverseTangent(ratio, true) << 3n;
}

function squareRoot(value: bigint): bigint {
  let root = 1n << BigInt((value.toString(2).length >> 1) + 1);
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}
