import { describe, expect, it } from "vitest";
import { GoTemplate } from "./evaluate.ts";

const data = {
  metadata: { name: "web", labels: { app: "x", tier: "front" } },
  spec: { replicas: 3, paused: false, ports: [80, 443], big: 1_000_000 },
  data: { password: "czNjcmV0" },
};

const run = (template: string) => new GoTemplate(template).execute(data);

describe("Go templates", () => {
  it.each([
    ["{{.metadata.name}}", "web"],
    ["{{.metadata.none}}|{{.none.there}}", "<no value>|<no value>"],
    ["{{range .spec.ports}}{{.}} {{end}}", "80 443 "],
    ["{{range $i, $p := .spec.ports}}{{$i}}={{$p}};{{end}}", "0=80;1=443;"],
    ["{{range $k, $v := .metadata.labels}}{{$k}}={{$v}},{{end}}", "app=x,tier=front,"],
    ["{{range .none}}x{{else}}empty{{end}}", "empty"],
    ['{{if eq .metadata.name "web"}}yes{{else}}no{{end}}', "yes"],
    ['{{if .spec.paused}}a{{else if eq .metadata.name "web"}}b{{else}}c{{end}}', "b"],
    ["{{with .metadata}}{{.name}}-{{$.spec.replicas}}{{end}}", "web-3"],
    ['{{index .metadata.labels "app"}} {{index .spec.ports 1}}', "x 443"],
    ["{{len .spec.ports}}", "2"],
    ['{{printf "%s:%v %5s|" .metadata.name .spec.replicas "a"}}', "web:3     a|"],
    ['{{printf "%d" .spec.replicas}}', "%!d(float64=3)"],
    ["{{.spec.big}}", "1e+06"],
    ["{{.data.password | base64decode}}", "s3cret"],
    ['{{and .spec.replicas "x"}} {{or "" "y"}} {{not .spec.paused}}', "x y true"],
    ['a {{- /* note */ -}} b{{"\\n"}}', "ab\n"],
    ['{{$x := .metadata.name}}{{$x = "z"}}{{$x}}', "z"],
    ['{{range .spec.ports}}{{if eq (printf "%v" .) "443"}}{{break}}{{end}}{{.}}{{end}}', "80"],
  ])("%s prints %j", (template, text) => {
    expect(run(template)).toBe(text);
  });

  it.each([
    ["{{.metadata", "unclosed action"],
    ["{{foo}}", 'function "foo" not defined'],
    ["{{if .x}}", "unexpected EOF"],
    ["{{end}}", "unexpected {{end}}"],
    ["{{gt .spec.replicas 2}}", "incompatible types for comparison"],
    ["{{index .spec.ports 7}}", "index out of range: 7"],
    [
      "a\nb {{index .spec.ports 2}}",
      'output:2:4: executing "output" at <index .spec.ports 2>: error calling index: reflect: slice index out of range',
    ],
    [
      "{{if (index .spec.ports 0).x}}{{end}}",
      'output:1:24: executing "output" at <0>: can\'t evaluate field x in type interface {}',
    ],
    ["{{ .metadata.name.x }}", 'output:1:12: executing "output" at <.metadata.name.x>'],
    ["{{.metadata.name.x}}", "can't evaluate field x in type interface {}"],
  ])("%s is refused: %s", (template, message) => {
    expect(() => run(template)).toThrow(message);
  });
});
