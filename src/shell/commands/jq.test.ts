import { expect, it } from "vitest";
import { runShell } from "../shell.test-kit.ts";

const pods = JSON.stringify({
  items: [
    { metadata: { name: "web-1", labels: { app: "web" } }, status: { phase: "Running" }, n: 3 },
    { metadata: { name: "db-1", labels: { app: "db" } }, status: { phase: "Pending" }, n: 1 },
    { metadata: { name: "web-2", labels: { app: "web" } }, status: { phase: "Running" }, n: 2 },
  ],
});

const jq = (args: string, input = pods) => runShell(`jq ${args}`, "gnu", { "/tmp/in.json": input });
const onFile = (args: string, input = pods) => jq(`${args} /tmp/in.json`, input);

it.each([
  // What is optional is a step alone: others after it are taken; behind parentheses it is all that stands in them.
  [`-c '[.items[].metadata.labels.app[]?], [.items[] | .n, .status | .phase?]'`, '[]\n["Running","Pending","Running"]\n'],
  [`-c '[[1], 2, [3]] | [.[][]?], [(.[][])?], [.[][0]?], [try .[][] catch "no"]'`, '[1,3]\n[1]\n[1,3]\n[1,"no"]\n'],
  [`-c '[{"a": 1}, 2, {"a": 3}] | [.[].a?], [(.[].a)?], [.[] | .a?], [.[]["a"]?]'`, "[1,3]\n[1]\n[1,3]\n[1,3]\n"],
  [`-r '.items[].metadata.name'`, "web-1\ndb-1\nweb-2\n"],
  [`-c '[.items[] | select(.status.phase == "Running") | .n]'`, "[3,2]\n"],
  [`-c '.items | map({(.metadata.name): .n}) | add'`, '{"web-1":3,"db-1":1,"web-2":2}\n'],
  [
    `-c '.items | group_by(.metadata.labels.app) | map({app: .[0].metadata.labels.app, count: length})'`,
    '[{"app":"db","count":1},{"app":"web","count":2}]\n',
  ],
  [`-c '.items | sort_by(.n) | map(.n), (map(.n) | unique | reverse)'`, "[1,2,3]\n[3,2,1]\n"],
  [`-r '.items[] | "\\(.metadata.name): \\(.n + 1)"'`, "web-1: 4\ndb-1: 2\nweb-2: 3\n"],
  [`-r '.items[] | [.metadata.name, .n] | @tsv'`, "web-1\t3\ndb-1\t1\nweb-2\t2\n"],
  [`-r '.items[0] | [.metadata.name, .n, null, true] | @csv'`, '"web-1",3,,true\n'],
  [`'.items | length, (.[0] | keys), (.[0] | has("n"))'`, '3\n[\n  "metadata",\n  "n",\n  "status"\n]\ntrue\n'],
  [`-c '.items[0].metadata | to_entries | from_entries | with_entries(select(.key == "name"))'`, '{"name":"web-1"}\n'],
  [`-r '.items[1] | if .n > 2 then "many" elif .n == 1 then "one" else "few" end'`, "one\n"],
  [`-r '.missing // "none", .items[0].x?.y'`, "none\nnull\n"],
  [
    `-c '[.items[] | .n, .metadata.labels | [.app?], [.[]?], [.[:1]?]]'`,
    '[[],[],[],["web"],["web"],[],[],[],[],["db"],["db"],[],[],[],[],["web"],["web"],[]]\n',
  ],
  // A `?` forgives the access before it alone: what comes after goes on, and errors before it are errors.
  [`-c '[{}, {"t": [1]}, 5 | .t?[]?, 2]'`, "[2,1,2,2]\n"],
  [`-c '[({}, {"t": [1]}) | .t] | [.[][]?], [(.[][])?], [.[0] | (.a.b)?]'`, "[1]\n[]\n[null]\n"],
  [`-r --arg app db '.items[] | select(.metadata.labels.app == $app).metadata.name'`, "db-1\n"],
  [
    `-r '.items[0].metadata.name | @base64, (@base64 | @base64d), test("^web"), (split("-") | join("+"))'`,
    "d2ViLTE=\nweb-1\ntrue\nweb+1\n",
  ],
  [
    `-c '[.items[] | .n] | any(. > 2), all(. > 2), min, max, add, (map(tostring) | map(tonumber))'`,
    "true\nfalse\n1\n3\n6\n[3,1,2]\n",
  ],
  [`-c '.items[0] | .n |= . + 1 | .status.phase = "X" | del(.metadata) | .new += 1'`, '{"status":{"phase":"X"},"n":4,"new":1}\n'],
  [`-c 'reduce .items[] as {n: $n} (0; . + $n), [foreach .items[].n as $n (0; . + $n)]'`, "6\n[3,4,6]\n"],
  [`-c '[paths(type == "number")], [.. | numbers]'`, '[["items",0,"n"],["items",1,"n"],["items",2,"n"]]\n[3,1,2]\n'],
  [`-c 'def twice(f): f | f; .items[0].n | twice(. * 2)'`, "12\n"],
  [`-c '.items[:2][-1:] | length, first(range(5; 10))'`, "1\n5\n"],
  [`-r '[.items[].metadata.name | sub("(?<a>[a-z]+)-"; "\\(.a)_")] | join(" ")'`, "web_1 db_1 web_2\n"],
  [`-c '[.items[].n] | [limit(2; .[])], (try error("x") catch .), ([.[] | select(. != 1)] | length)'`, '[3,1]\n"x"\n2\n'],
])("runs %s", (args, output) => {
  expect(onFile(args)).toMatchObject({ stdout: output, stderr: "", code: 0 });
});

it.each([
  ["echo '{\"a\":1}' | jq '.a.b'", "", 'jq: error (at <stdin>:1): Cannot index number with "b"\n', 5],
  ["echo '{}' | jq '.a[]'", "", "jq: error (at <stdin>:1): Cannot iterate over null (null)\n", 5],
  ["echo 1 | jq '.a.b?'", "", 'jq: error (at <stdin>:1): Cannot index number with "a"\n', 5],
  ["echo '{a:1}' | jq .", "", "jq: parse error: Invalid numeric literal at line 1, column 3\n", 2],
  ["echo 'abc' | jq .", "", "jq: parse error: Invalid numeric literal at line 2, column 0\n", 2],
  ["jq . /none", "", "jq: error: Could not open /none: No such file or directory\n", 2],
  ["echo 1 | jq 'foo'", "", "jq: error: foo/0 is not defined at <top-level>, line 1:\nfoo\njq: 1 compile error\n", 3],
  [
    "echo 1 | jq '.['",
    "",
    "jq: error: syntax error, unexpected end of file (Unix shell quoting issues?) at <top-level>, line 1:\n.[\njq: 1 compile error\n",
    3,
  ],
  ["jq -n '\"a\" + 1'", "", 'jq: error (at <unknown>): string ("a") and number (1) cannot be added\n', 5],
  ["echo null | jq -e .", "null\n", "", 1],
  ["echo 1 | jq -e empty", "", "", 4],
  ["printf '1 2\\n3' | jq -c -s .", "[1,2,3]\n", "", 0],
  ["printf 'a\\nb\\n' | jq -R .", '"a"\n"b"\n', "", 0],
  ["jq -n '[1,{\"a\":[]},{}]'", '[\n  1,\n  {\n    "a": []\n  },\n  {}\n]\n', "", 0],
  ["jq -nr '1e1000, 100000000000000000, 1.5, 3.0, 1e-7'", "1.7976931348623157e+308\n100000000000000000\n1.5\n3\n1e-07\n", "", 0],
])("answers like jq 1.7: %s", (script, stdout, stderr, code) => {
  expect(runShell(script)).toMatchObject({ stdout, stderr, code });
});
