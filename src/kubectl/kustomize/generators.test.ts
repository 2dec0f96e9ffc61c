import { describe, expect, it } from "vitest";
import { check, kubectlWorld } from "../kubectl.test-kit.ts";
import { built } from "./kustomize.test-kit.ts";

// As the release's own kubectl prints it, hash and all.
it("[NET-420] keeps the quotes of an env file, and takes those of literals away", () => {
  const world = kubectlWorld({
    "/tmp/g/tiles.env": 'A=\'x\'\nB="y"\nC="z\n  D= w \nE\n# c\nF=\nH=a=b"\n',
    "/tmp/g/kustomization.yaml": `configMapGenerator:
- name: r
  literals: [RANGE="1 2", Q='a']
  envs: [tiles.env]
`,
  });
  check(world, [
    {
      line: "kustomize /tmp/g",
      stdout: `apiVersion: v1
data:
  A: '''x'''
  B: '"y"'
  C: '"z'
  D: ' w '
  E: ""
  F: ""
  H: a=b"
  Q: a
  RANGE: 1 2
kind: ConfigMap
metadata:
  name: r-fff26g2c6m
`,
    },
  ]);
});

// Values of the release's own kubectl.
it.each<readonly [string, string, string, string]>([
  ["files with line ends", "\n", "files: [username.txt, password.txt]", "7md2kkgk8g"],
  ["files without", "", "files: [username.txt, password.txt]", "gd995d5t92"],
  ["literals", "", "literals: [username=admin, password=secret]", "8c5228dkb9"],
])("[NET-421] names a Secret after its data: %s", (_title, end, from, hash) => {
  const world = kubectlWorld({
    "/tmp/g/username.txt": `admin${end}`,
    "/tmp/g/password.txt": `1f2d1e2e67df${end}`,
    "/tmp/g/kustomization.yaml": `secretGenerator:\n- name: db-user-pass\n  ${from}\n`,
  });
  expect(world.run("kustomize /tmp/g").stdout).toContain(`\n  name: db-user-pass-${hash}\n`);
});

describe("generators", () => {
  it("merge into and replace what a base has generated; only hashed names stay hashed", () => {
    expect(
      built(`% kustomization.yaml
namePrefix: o-
resources: [b, plain.yaml]
configMapGenerator:
- name: a
  behavior: merge
  literals: [a=2, c=3]
  options: {labels: {new: l}}
- name: r
  behavior: replace
  literals: [z=1]
- name: plain
  behavior: merge
  literals: [q=1]
- name: nohash
  behavior: merge
  literals: [q=1]
secretGenerator:
- name: s
  behavior: merge
  literals: [x=y]
% b/kustomization.yaml
namePrefix: b-
configMapGenerator:
- name: a
  literals: [a=1, b=1]
  options: {labels: {old: l}}
- name: r
  literals: [y=1]
- name: nohash
  options: {disableNameSuffixHash: true}
secretGenerator:
- name: s
  type: x/y
  literals: [w=v]
% plain.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: plain, annotations: {a: b}}
data: {w: v}
immutable: true
`),
    ).toBe(`apiVersion: v1
data:
  a: "2"
  b: "1"
  c: "3"
kind: ConfigMap
metadata:
  labels:
    new: l
    old: l
  name: o-b-a-bt9994gf5d
---
apiVersion: v1
data:
  q: "1"
kind: ConfigMap
metadata:
  name: o-b-nohash
---
apiVersion: v1
data:
  z: "1"
kind: ConfigMap
metadata:
  name: o-b-r-527hd2cc4c
---
apiVersion: v1
data:
  q: "1"
  w: v
kind: ConfigMap
metadata:
  annotations:
    a: b
  name: o-plain
---
apiVersion: v1
data:
  w: dg==
  x: eQ==
kind: Secret
metadata:
  name: o-b-s-c5mm9fm4gk
type: Opaque
`);
  });

  it("refuse a name twice", () => {
    expect(
      built(`% kustomization.yaml
configMapGenerator:
- name: a
  behavior: create
  literals: [a=2]
- name: a
  literals: [a=2]
`),
    ).toBe(`error: merging from generator &{0xc000422000 <nil>}: id resid.ResId{Gvk:resid.Gvk{Group:"", Version:"v1", Kind:"ConfigMap", isClusterScoped:false}, Name:"a", Namespace:""} exists; can not use behavior: 'unspecified', behavior must be merge or replace
(exit 1)
`);
  });

  it("refuse to merge into nothing", () => {
    expect(
      built(`% kustomization.yaml
configMapGenerator:
- name: a
  behavior: merge
  literals: [a=2, c=3]
`),
    ).toBe(`error: merging from generator &{0xc000422000 <nil>}: id resid.ResId{Gvk:resid.Gvk{Group:"", Version:"v1", Kind:"ConfigMap", isClusterScoped:false}, Name:"a", Namespace:""} does not exist; cannot merge or replace
(exit 1)
`);
  });

  it("need a name", () => {
    expect(
      built(`% kustomization.yaml
configMapGenerator:
- literals: [a=2]
`),
    ).toBe(`error: a configmap must have a name
(exit 1)
`);
  });

  it("refuse a key twice", () => {
    expect(
      built(`% kustomization.yaml
configMapGenerator:
- name: x
  literals: [a=2, a=3]
`),
    ).toBe(`error: configmap x illegally repeats the key \`a\`
(exit 1)
`);
  });

  it("refuse files that there are not", () => {
    expect(
      built(`% kustomization.yaml
secretGenerator:
- name: x
  files: [a, b]
`),
    ).toBe(`error: loading KV pairs: file sources: [a b]: evalsymlink failure on '/k/a' : lstat /k/a: no such file or directory
(exit 1)
`);
  });

  it("refuse wrong sources", () => {
    expect(
      built(`% kustomization.yaml
secretGenerator:
- name: x
  files: [a=b=c]
`),
    ).toBe(`error: loading KV pairs: file sources: [a=b=c]: source "a=b=c" key name or file path contains '='
(exit 1)
`);
  });

  it("read files, not folders", () => {
    expect(
      built(`% kustomization.yaml
secretGenerator:
- name: x
  files: [sub]
% sub/x
a
`),
    ).toBe(`error: loading KV pairs: file sources: [sub]: '/k/sub' must resolve to a file
(exit 1)
`);
  });

  it("cannot write keys that stand for numbers", () => {
    expect(
      built(`% kustomization.yaml
configMapGenerator:
- name: a
  literals: ["1=a"]
`),
    ).toBe(`error: map[string]interface {}{"apiVersion":"v1", "data":map[interface {}]interface {}{1:"a"}, "kind":"ConfigMap", "metadata":map[string]interface {}{"name":"a-6cgm5hkmtd"}}: json: unsupported type: map[interface {}]interface {}
(exit 1)
`);
  });
});
