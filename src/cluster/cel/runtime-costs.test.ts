import { describe, expect, it } from "vitest";
import { kubernetesEnvironment } from "./environment.ts";
import { CelCostFault, CelFault, compileExpression } from "./expression.ts";

const environment = kubernetesEnvironment()
  .registerVariable("l", "list<string>")
  .registerVariable("n", "list<int>")
  .registerVariable("s", "string")
  .registerVariable("m", "dyn");
const variables = {
  l: ["a", "b", "c"],
  n: [3n, 1n, 2n],
  s: "hello wörld, this is a text",
  m: { a: { b: 1n }, s: "hello world", l: ["x", "y"] },
};

function costOf(source: string): number | undefined {
  let spent: number | undefined;
  try {
    compileExpression(source, environment).run(variables, (cost) => {
      spent = cost;
    });
  } catch (error) {
    if (!(error instanceof CelFault)) throw error;
  }
  return spent;
}

/** What cel-go of the release counts for the same expressions and values, with Kubernetes' functions and options. */
const upstream: readonly (readonly [string, number])[] = [
  ["1 == 1", 1],
  ["l.all(x, x == 'a')", 14],
  ["l.all(x, x != 'zz')", 17],
  ["l.exists(x, x == 'b')", 17],
  ["l.exists(x, x == 'c')", 20],
  ["l.map(x, x + 'y').size() == 3", 46],
  ["l.map(x, 1)", 8],
  ["l.map(x, x != 'a', x)", 34],
  ["l.filter(x, x != 'a').size() == 2", 36],
  ["has(m.a.b)", 2],
  ["has(m.a.zz) || has(m.s)", 3],
  ["m.a.b == 1", 4],
  ["m.s.matches('^h.*$')", 6],
  ["s.matches('^h.*$')", 7],
  ["m.s in ['a','hello world']", 2],
  ["m.s in l", 6],
  ["s in m.l", 4],
  ["'a' in m", 2],
  ["l.exists_one(x, x == 'a')", 11],
  ["m.a.b == 2 ? m.s == 'x' : m.s == 'hello world'", 8],
  ["(m.a.b == 1 ? m.a : m.l).b == 1", 7],
  ["(m.a.b == 1 ? s : m.s) == s", 8],
  ["l[0] == 'a'", 3],
  ["l[n[1]] == 'b'", 4],
  ["l[size(l) - 1]", 5],
  ["l.map(x, x)[0] == 'a'", 44],
  ["n.sum() == 6", 5],
  ["n.isSorted()", 4],
  ["s.startsWith('hel') && s.endsWith('xt')", 8],
  ["s.contains('this is')", 4],
  ["s.split(' ').join('-')", 13],
  ["s.replace('l', 'LL')", 7],
  ["s.lowerAscii().upperAscii()", 7],
  ["s.find('[a-z]+') + 'x'", 8],
  ["quantity('1Gi').isGreaterThan(quantity('1Mi'))", 3],
  ["quantity('1Gi') == quantity('1Gi')", 3],
  ["ip('10.0.0.1') == ip('10.0.0.1')", 3],
  ["ip('10.0.0.1') != ip('10.0.0.2')", 3],
  ["cidr('10.0.0.0/8').containsIP('10.0.0.1')", 3],
  ["cidr('10.0.0.0/8').containsIP(ip('10.0.0.1'))", 3],
  ["cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16')", 6],
  ["cidr('10.0.0.0/8').ip().family() == 4", 4],
  ["ip.isCanonical('10.0.0.1')", 2],
  ["url('https://a.b/c?d=e').getHost()", 3],
  ["format.dns1123Label().validate('abc').hasValue()", 10],
  ["semver('1.2.3').major() == 1", 3],
  ["sets.contains(l, ['a'])", 5],
  ["sets.equivalent(l, ['a', 'b', 'c'])", 20],
  ["sets.intersects(l, l)", 12],
  ["[1, 2, 3].map(x, x * 2)", 43],
  ["[s, 'a']", 11],
  ["n + n", 3],
  ["s + s", 8],
  ["m.s + 'a'", 4],
  ["m.a.b + 1", 4],
  ["-n[0] < 0", 4],
  ["s < 'b'", 2],
  ["m.s < 'b'", 3],
  ["m.a.b < 3", 4],
  ["int('3') == n[0]", 3],
  ["string(n[0]) + 'x'", 4],
  ["string(m.a.b)", 4],
  ["bytes(s).size()", 5],
  ["timestamp('2024-01-01T00:00:00Z').getFullYear() == 2024", 2],
  ["duration('1h') > duration('1m')", 1],
  ["m.?a.?b.orValue(2) == 1", 4],
  ["m.?z.hasValue()", 2],
  ["optional.of(1).value()", 2],
  ["'%s is %d'.format([s, 1])", 12],
  ["strings.quote(s)", 4],
  ["type(s) == string", 3],
  ["l.exists(x, x == 'z') || l.all(x, x in l)", 46],
  ["m.all(k, k != 'z')", 17],
  ["{'a': 1}.all(k, k == 'a')", 6],
  ["l == ['a', 'b', 'c']", 2],
  ["l.indexOf('b')", 1],
  ["s.indexOf('t')", 3],
  ["s.substring(2, 4)", 4],
  ["s.trim().size()", 5],
  ["n.min() + n.max()", 9],
  ["has(m.a) ? m.a.b : 3", 3],
  ["!(has(m.zz))", 2],
  ["m.l.exists(x, x == 'y') && !m.l.exists(x, x == 'q')", 31],
];

describe("what an expression costs while it runs", () => {
  it.each(upstream)("%s: %d", (source, cost) => expect(costOf(source)).toBe(cost));

  it("is told of one that fails, too", () => expect(costOf("m.z.b == 1")).toBeGreaterThan(0));

  it("ends it, whatever its operands make of that", () => {
    const all = (depth: number): string => (depth === 0 ? "l.all(z, z != 'z')" : `l.all(x${depth}, ${all(depth - 1)})`);
    for (const source of [all(10), `${all(10)} || true`, `m.s == '' || ${all(10)}`]) {
      const { run } = compileExpression(source, environment);
      expect(() => run(variables)).toThrow(new CelCostFault("operation cancelled: actual cost limit exceeded"));
    }
  });
});
