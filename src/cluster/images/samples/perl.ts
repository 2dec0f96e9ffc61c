// perl, as far as the Job of the documentation needs it: `perl -Mbignum=bpi -wle 'print bpi(N)'`, π to N digits.

import type { Program } from "#sim/program.ts";

/** Digits of π take a processor about so long: 2,000 of them some five seconds. */
const millisecondsPerDigit = 2.5;
const unitsPerMillisecond = 1000;
const maximumDigits = 20_000;

/** `digits` significant digits, the last one rounded, by Machin's formula. */
function digitsOfPi(digits: number): string {
  const spare = 10n;
  const one = 10n ** (BigInt(digits) + spare);
  const arctanOfInverse = (x: bigint): bigint => {
    let term = one / x;
    let sum = term;
    for (let n = 3n, sign = -1n; term !== 0n; n += 2n, sign = -sign) {
      term /= x * x;
      sum += (sign * term) / n;
    }
    return sum;
  };
  const pi = 4n * (4n * arctanOfInverse(5n) - arctanOfInverse(239n));
  const cut = 10n ** (spare + 1n);
  const text = ((pi + cut / 2n) / cut).toString();
  return digits === 1 ? text : `${text.slice(0, 1)}.${text.slice(1)}`;
}

const expected = /^\s*print\s+bpi\(\s*(\d+)\s*\)\s*;?\s*$/u;

export const perl: Program = function* (self) {
  const words = self.argv.slice(1);
  const [module = "", flags = "", script = ""] = words;
  const match = expected.exec(script);
  if (module !== "-Mbignum=bpi" || !/^-[wl]*e$/u.test(flags) || match === null || words.length !== 3) {
    yield* self.write(2, "perl: this perl runs nothing but -Mbignum=bpi -wle 'print bpi(N)'\n");
    return 2;
  }
  const digits = Number(match[1]);
  if (digits < 1 || digits > maximumDigits) {
    yield* self.write(2, `perl: bpi(${digits}): this perl knows 1 to ${maximumDigits} digits\n`);
    return 2;
  }
  self.declareUse({ memoryBytes: 12_582_912 });
  for (let left = Math.ceil(digits * millisecondsPerDigit); left > 0; left -= 1) {
    self.spend(unitsPerMillisecond);
    yield* self.breathe();
  }
  yield* self.write(1, `${digitsOfPi(digits)}${flags.includes("l") ? "\n" : ""}`);
  return 0;
};
