import { describe, expect, it } from "vitest";
import { atan2, cos, exp, log, log2, log10, pow, sin } from "./mathematics.ts";

const { NaN: none, POSITIVE_INFINITY: infinite } = Number;

describe("functions of real numbers", () => {
  it("are rounded right, to the last bit", () => {
    // As glibc has them.
    expect([exp(2), exp(-1), exp(0.1), exp(700)]).toEqual([
      7.38905609893065, 0.36787944117144233, 1.1051709180756477, 1.0142320547350045e304,
    ]);
    expect([log(3), log(7), log(0.3), log(5e-324)]).toEqual([
      1.0986122886681098, 1.9459101490553132, -1.2039728043259361, -744.4400719213812,
    ]);
    expect([log2(8), log2(10), log10(1000), log10(2)]).toEqual([3, 3.321928094887362, 3, 0.3010299956639812]);
    expect([sin(1), sin(1e22), sin(1e300), cos(1), cos(1e22)]).toEqual([
      0.8414709848078965, -0.8522008497671888, -0.8178819121159085, 0.5403023058681398, 0.523214785395139,
    ]);
    expect([sin(Math.PI), sin(1e-9), cos(1e-9)]).toEqual([1.2246467991473532e-16, 1e-9, 1]);
    expect([atan2(1, 2), atan2(1, -1), atan2(-2, 3), atan2(1e-300, 1)]).toEqual([
      0.4636476090008061, 2.356194490192345, -0.5880026035475675, 1e-300,
    ]);
    expect([pow(3, 0.5), pow(10, -5), pow(10, 23), pow(1.1, 100), pow(-2, 3), pow(2, -1074)]).toEqual([
      1.7320508075688772, 1e-5, 1e23, 13780.61233982238, -8, 5e-324,
    ]);
  });

  it("know the ends of the numbers as C does", () => {
    expect([exp(infinite), exp(-infinite), exp(1000), exp(-1000), exp(none)]).toEqual([infinite, 0, infinite, 0, none]);
    expect([log(0), log(-1), log(infinite), log(1)]).toEqual([-infinite, none, infinite, 0]);
    expect([sin(infinite), cos(none), sin(-0), cos(0)]).toEqual([none, none, -0, 1]);
    expect([atan2(0, 1), atan2(-0, 1), atan2(-0, -0), atan2(infinite, infinite)]).toEqual([0, -0, -Math.PI, Math.PI / 4]);
    expect([pow(1, none), pow(none, 0), pow(-1, infinite), pow(-8, 1 / 3), pow(0, -1), pow(0.5, infinite), pow(10, 400)]).toEqual([
      1,
      1,
      1,
      none,
      infinite,
      0,
      infinite,
    ]);
  });
});
