import { describe, expect, it } from "vitest";
import { kubernetesEnvironment } from "./environment.ts";
import { CelCompileError, CelFault, compileExpression } from "./expression.ts";
import { rewriteLiterals } from "./object-literals.ts";

function outcome(source: string): unknown {
  try {
    return compileExpression(source, kubernetesEnvironment()).run({});
  } catch (error) {
    if (error instanceof CelFault || error instanceof CelCompileError) return error.message;
    throw error;
  }
}

describe("Kubernetes' CEL", () => {
  it.each<[string, unknown]>([
    ["1 + 1 == 2", true],
    ["'a' in ['a', 'b']", true],
    ["{'a': 1}.a == 1", true],
    ["[{'a': 1}].all(x, has(x.a) && !has(x.b))", true],
    ["[1, 2, 3].all(x, x > 0) && [1, 2].exists_one(x, x == 2)", true],
    ["[1, 2, 3].filter(x, x > 1).map(x, x * 2) == [4, 6]", true],
    ["size('äb') == 2", true],
    ["'hello'.startsWith('he') && 'hello'.matches('^h.*o$')", true],
    ["'tacocat'.charAt(3) == 'o' && 'tacocat'.indexOf('c') == 2 && 'tacocat'.lastIndexOf('c') == 4", true],
    ["'TacoCat'.lowerAscii() == 'tacocat' && 'a b'.replace(' ', '-') == 'a-b'", true],
    ["'a,b'.split(',') == ['a', 'b'] && ['a', 'b'].join('-') == 'a-b'", true],
    ["'  x '.trim() == 'x' && 'tacocat'.substring(4) == 'cat'", true],
    ["'%s has %d'.format(['a', 2]) == 'a has 2'", true],
    ["[1, 2, 3].isSorted() && [1, 2].sum() == 3 && [3, 1].min() == 1 && [3, 1].max() == 3", true],
    ["['a', 'b'].indexOf('b') == 1", true],
    ["'abc 123'.find('[0-9]+') == '123' && '1 2'.findAll('[0-9]') == ['1', '2']", true],
    ["isURL('https://a.example:80/b?c=d') && url('https://a.example:80/b').getHost() == 'a.example:80'", true],
    ["url('https://a.example:80/b').getHostname() == 'a.example' && url('https://a/b').getEscapedPath() == '/b'", true],
    ["quantity('1Gi').isGreaterThan(quantity('1G')) && isQuantity('1Zi') == false", true],
    ["quantity('50k').add(quantity('20k')).compareTo(quantity('70k')) == 0", true],
    ["quantity('2').asInteger() == 2", true],
    ["isIP('127.0.0.1') && ip('127.0.0.1').isLoopback() && ip('::1').family() == 6", true],
    ["cidr('10.0.0.0/8').containsIP('10.1.2.3') && cidr('10.0.0.0/8').prefixLength() == 8", true],
    ["isSemver('1.2.3') && semver('1.2.3').isLessThan(semver('1.10.0')) && semver('1.2.3').minor() == 2", true],
    ["!format.dns1123Label().validate('my-label').hasValue()", true],
    ["duration('1h').getHours() == 1 && timestamp('2026-01-02T03:04:05Z').getDate() == 2", true],
    ["['ab', 'cd'].exists(x, x.matches('(?i)^C')) && ['ab'].map(x, x.matches('\\\\pL+$')) == [true]", true],
    [
      "timestamp('2026-07-01T22:30:00Z').getHours('Europe/Paris') == 0 && timestamp('2026-07-01T22:30:00Z').getDate('Europe/Paris') == 2",
      true,
    ],
    [
      "timestamp('2026-07-01T22:30:00Z').getMinutes('-05:30') == 0 && timestamp('2026-07-01T22:30:00Z').getHours('02:00') == 0",
      true,
    ],
    [
      "timestamp('2026-07-01T22:30:00.250Z').getMilliseconds('Asia/Tokyo') == 250 && timestamp(1782945000).getDayOfWeek('UTC') == 3",
      true,
    ],
    [
      "timestamp('2026-10-26T00:00:00Z').getDayOfYear() == 298 && timestamp('2026-12-31T23:00:00Z').getDayOfYear('Asia/Tokyo') == 0",
      true,
    ],
    ["timestamp(timestamp('2026-01-02T05:04:05+02:00')) == timestamp('2026-01-02T03:04:05Z')", true],
    ["int(timestamp('2026-01-02T03:04:05.900Z')) == 1767323045 && int(timestamp(-1)) == -1", true],
    ["timestamp('2026-01-02T00:00:00Z') - timestamp('2026-01-01T00:00:00Z') == duration('24h')", true],
    ["optional.of(1).hasValue() && {'a': 1}[?'b'].orValue(2) == 2", true],
    ["[1][3] == 1", "index out of bounds: 3"],
    ["{'a': 1}.b == 1", "no such key: b"],
    ["'a'.matches('(')", "error parsing regexp: missing closing ): `(`"],
    ["timestamp('now')", "type conversion error from 'string' to 'google.protobuf.Timestamp'"],
    ["duration('1')", "type conversion error from 'string' to 'google.protobuf.Duration'"],
    ["int('a')", "type conversion error from 'string' to 'int'"],
    ["'unix:'.substring(0, 8)", "index out of range: 8"],
    ["'漢字𝒳b'.substring(2) == '𝒳b' && 'abc'.substring(1, 2) == 'b'", true],
    ["'ÀB'.lowerAscii() == 'Àb'", true],
    ["matches('Web', '(?i)^w') && !matches('b', 'a')", true],
    ["{'a': 1, 'b': 'x'} == {'b': 'x', 'a': 1} && [1, 'a', {'c': [1.0]}] == [1, 'a', {'c': [1]}]", true],
    ["{'a': 1} in [{'b': 1}, {'a': 1}] && !({'a': 1} == {'a': 1, 'b': 2})", true],
    ["has([{'n': 1}][0].n) && !has([{'m': 1}][0].n)", true],
    ["format.dns1123Label().validate('a') == null", false],
    ["[1][3] == 1 || {'a': 1}.b == 1", "index out of bounds: 3"],
    ["{'a': 1}.b == 1 && [1][3] == 1", "no such key: b"],
    ["{'a': 1}.b == 1 || true", true],
    ["timestamp('2026-07-01T22:30:00Z').getHours('Mars/Olympus')", "unknown time zone Mars/Olympus"],
  ])("%s", (source, value) => {
    expect(outcome(source)).toBe(value);
  });

  it("knows nothing of cel-go's math, as upstream's environment does not", () => {
    expect(outcome("math.abs(-1) == 1")).toContain("undeclared reference to 'math' (in container '')");
  });

  it.each<[string, string]>([
    ["x > 1", "ERROR: <input>:1:1: undeclared reference to 'x' (in container '')\n | x > 1\n | ^"],
    ["1 + 'a'", "ERROR: <input>:1:3: found no matching overload for '_+_' applied to '(int, string)'\n | 1 + 'a'\n | ..^"],
    [
      "'a'.matches(1)",
      "ERROR: <input>:1:12: found no matching overload for 'matches' applied to 'string.(int)'\n | 'a'.matches(1)\n | ...........^",
    ],
    ["unknown('a')", "ERROR: <input>:1:8: undeclared reference to 'unknown' (in container '')\n | unknown('a')\n | .......^"],
  ])("refuses %s in cel-go's words", (source, message) => {
    expect(outcome(source)).toBe(message);
  });

  it.each<[string, string]>([
    ["Object{}", '__object("Object", {})'],
    ["Object{spec: Object.spec{replicas: 1}}", '__object("Object", {"spec": __object("Object.spec", {"replicas": 1})})'],
    [
      "[JSONPatch{op: 'add', path: '/a', value: {'b': [1]}}]",
      `[__object("JSONPatch", {"op": 'add', "path": '/a', "value": {'b': [1]}})]`,
    ],
    ["'Object{a: 1}'", "'Object{a: 1}'"],
    [
      "has(object.spec) ? Object{a: {'k': 1}} : Object{}",
      `has(object.spec) ? __object("Object", {"a": {'k': 1}}) : __object("Object", {})`,
    ],
  ])("reads %s", (source, calls) => {
    expect(rewriteLiterals(source)).toBe(calls);
  });
});
