// The natural logarithm in additions and multiplications, which are the same on every engine; the last bits of Math.log are not.

/** Of a number above zero, with an error in the last bit at most. */
export function naturalLog(value: number): number {
  let [mantissa, exponent] = [value, 0];
  for (; mantissa > 1.5; mantissa /= 2) exponent += 1;
  for (; mantissa < 0.75; mantissa *= 2) exponent -= 1;
  // The series of the inverse hyperbolic tangent.
  const ratio = (mantissa - 1) / (mantissa + 1);
  let sum = 0;
  for (let power = 31; power > 0; power -= 2) sum = sum * ratio * ratio + 1 / power;
  return exponent * Math.LN2 + 2 * ratio * sum;
}
