// What `kubectl kustomize` v1.36.3 prints for the same folders.

import { describe, expect, it } from "vitest";
import { built } from "./kustomize.test-kit.ts";

describe("a kustomization", () => {
  it("refuses fields that there are not", () => {
    expect(
      built(`% kustomization.yaml
images:
- name: a
  tag: b
`),
    ).toBe(`error: invalid Kustomization: json: unknown field "tag"
(exit 1)
`);
  });

  it("refuses a number for a text", () => {
    expect(
      built(`% kustomization.yaml
images:
- name: a
  newTag: 1.27
`),
    ).toBe(`error: invalid Kustomization: json: cannot unmarshal number into Go struct field Image.images.newTag of type string
(exit 1)
`);
  });

  it("refuses a map for a list", () => {
    expect(
      built(`% kustomization.yaml
configMapGenerator:
- name: a
  literals: {a: b}
`),
    ).toBe(`error: invalid Kustomization: json: cannot unmarshal object into Go struct field ConfigMapArgs.configMapGenerator.GeneratorArgs.KvPairSources.literals of type []string
(exit 1)
`);
  });

  it("is not empty", () => {
    expect(
      built(`% kustomization.yaml
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
`),
    ).toBe(`error: kustomization.yaml is empty
(exit 1)
`);
  });

  it("has its kind and version", () => {
    expect(
      built(`% kustomization.yaml
apiVersion: v1
kind: Foo
namePrefix: a
`),
    ).toBe(`error: Failed to read kustomization file under /k:
kind should be Kustomization or Component
apiVersion for Foo should be kustomize.config.k8s.io/v1beta1
(exit 1)
`);
  });

  it("is one file", () => {
    expect(
      built(`% kustomization.yaml
namePrefix: a
% kustomization.yml
namePrefix: a
`),
    ).toBe(`error: Found multiple kustomization files under: /k
(exit 1)
`);
  });

  it("has a file", () => {
    expect(
      built(`% x.yaml
a: b
`),
    ).toBe(`error: unable to find one of 'kustomization.yaml', 'kustomization.yml' or 'Kustomization' in directory '/k'
(exit 1)
`);
  });

  it("refuses resources that there are not", () => {
    expect(
      built(`% kustomization.yaml
resources: [x.yaml]
`),
    ).toBe(`error: accumulating resources: accumulation err='accumulating resources from 'x.yaml': evalsymlink failure on '/k/x.yaml' : lstat /k/x.yaml: no such file or directory': must build at directory: not a valid directory: evalsymlink failure on '/k/x.yaml' : lstat /k/x.yaml: no such file or directory
(exit 1)
`);
  });

  it("refuses a base without kustomization", () => {
    expect(
      built(`% kustomization.yaml
resources: [base]
% base/x
a
`),
    ).toBe(`error: accumulating resources: accumulation err='accumulating resources from 'base': '/k/base' must resolve to a file': couldn't make target for path '/k/base': unable to find one of 'kustomization.yaml', 'kustomization.yml' or 'Kustomization' in directory '/k/base'
(exit 1)
`);
  });

  it("refuses cycles", () => {
    expect(
      built(
        `% a/kustomization.yaml
resources: [../b]
% b/kustomization.yaml
resources: [../a]
`,
        "/a",
      ),
    ).toBe(`error: accumulating resources: accumulation err='accumulating resources from '../b': '/k/b' must resolve to a file': recursed accumulation of path '/k/b': accumulating resources: accumulation err='accumulating resources from '../a': '/k/a' must resolve to a file': cycle detected: candidate root '/k/a' contains visited root '/k/a'
(exit 1)
`);
  });

  it("reads no files outside its folder", () => {
    expect(
      built(
        `% a/kustomization.yaml
resources: [../x.yaml]
% x.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: a}
`,
        "/a",
      ),
    ).toBe(`error: accumulating resources: accumulation err='accumulating resources from '../x.yaml': security; file '/k/x.yaml' is not in or below '/k/a'': must build at directory: '/k/x.yaml': file is not directory
(exit 1)
`);
  });

  it("reads files outside with --load-restrictor", () => {
    expect(
      built(
        `% a/kustomization.yaml
resources: [../x.yaml]
% x.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: a}
`,
        "/a",
        "--load-restrictor LoadRestrictionsNone",
      ),
    ).toBe(`apiVersion: v1
kind: ConfigMap
metadata:
  name: a
`);
  });

  it("refuses another --load-restrictor", () => {
    expect(
      built(
        `% a/kustomization.yaml
resources: [../x.yaml]
`,
        "/a",
        "--load-restrictor none",
      ),
    ).toBe(`error: illegal flag value --load-restrictor none; legal values: [LoadRestrictionsRootOnly LoadRestrictionsNone]
(exit 1)
`);
  });

  it("refuses absolute folders", () => {
    expect(
      built(`% kustomization.yaml
resources: [/tmp]
`),
    ).toBe(`error: accumulating resources: accumulation err='accumulating resources from '/tmp': '/tmp' must resolve to a file': new root '/tmp' cannot be absolute
(exit 1)
`);
  });

  it("refuses an object twice", () => {
    expect(
      built(`% kustomization.yaml
resources: [a.yaml, b.yaml]
% a.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: a}
% b.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: a, namespace: default}
`),
    ).toBe(`error: accumulating resources: accumulation err='merging resources from 'b.yaml': may not add resource with an already registered id: ConfigMap.v1.[noGrp]/a.default': must build at directory: '/k/b.yaml': file is not directory
(exit 1)
`);
  });

  it("refuses an object of two bases", () => {
    expect(
      built(`% kustomization.yaml
resources: [a, b]
% a/kustomization.yaml
configMapGenerator: [{name: x}]
% b/kustomization.yaml
configMapGenerator: [{name: x}]
`),
    ).toBe(`error: accumulating resources: accumulation err='accumulating resources from 'b': '/k/b' must resolve to a file': recursed merging from path '/k/b': may not add resource with an already registered id: ConfigMap.v1.[noGrp]/x.[noNs]
(exit 1)
`);
  });

  it("refuses an object without a name", () => {
    expect(
      built(`% kustomization.yaml
resources: [a.yaml]
% a.yaml
apiVersion: v1
kind: ConfigMap
metadata: {namespace: x, labels: {b: c, a: d}}
`),
    ).toBe(`error: accumulating resources: accumulation err='accumulating resources from 'a.yaml': missing metadata.name in object {{v1 ConfigMap} {{ x} map[a:d b:c] map[]}}': must build at directory: '/k/a.yaml': file is not directory
(exit 1)
`);
  });

  it("refuses what is no YAML", () => {
    expect(
      built(`% kustomization.yaml
resources: [a.yaml]
% a.yaml
apiVersion: v1
kind: ConfigMap
metadata: name: x
`),
    ).toBe(`error: accumulating resources: accumulating resources from 'a.yaml': MalformedYAMLError: yaml: line 3: mapping values are not allowed in this context in File: a.yaml
(exit 1)
`);
  });

  it("refuses a key twice", () => {
    expect(
      built(`% kustomization.yaml
resources: [l.yaml]
% l.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: a}
data:
  a: b
  a: c
`),
    ).toBe(`error: map[string]interface {}(nil): yaml: unmarshal errors:
  line 6: mapping key "a" already defined at line 5
(exit 1)
`);
  });

  it("reads resources as YAML 1.2", () => {
    expect(
      built(`% kustomization.yaml
resources: [l.yaml]
% l.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: a}
data: {a: yes, b: "on", c: 0x10, d: 1e3, e: 012, f: 2020-01-01, g: ~, h: off, i: true, j: 1.0}
`),
    ).toBe(`apiVersion: v1
data:
  a: "yes"
  b: "on"
  c: 16
  d: 1000
  e: 10
  f: "2020-01-01T00:00:00Z"
  g: null
  h: "off"
  i: true
  j: 1
kind: ConfigMap
metadata:
  name: a
`);
  });

  it("takes lists apart", () => {
    expect(
      built(`% kustomization.yaml
namePrefix: a-
resources: [l.yaml]
% l.yaml
apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: ConfigMap
  metadata: {name: a}
- apiVersion: v1
  kind: ConfigMapList
  items:
  - apiVersion: v1
    kind: ConfigMap
    metadata: {name: b}
`),
    ).toBe(`apiVersion: v1
kind: ConfigMap
metadata:
  name: a-a
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: a-b
`);
  });

  it("leaves out what is for the folder alone", () => {
    expect(
      built(`% kustomization.yaml
resources: [l.yaml]
% l.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: a, annotations: {config.kubernetes.io/local-config: "true"}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: b, annotations: {config.kubernetes.io/local-config: "false", n: 5}}
`),
    ).toBe(`apiVersion: v1
kind: ConfigMap
metadata:
  annotations:
    config.kubernetes.io/local-config: "false"
    "n": "5"
  name: b
`);
  });

  it("warns of deprecated fields", () => {
    expect(
      built(`% kustomization.yaml
bases: [b]
imageTags: [{name: nginx, newTag: "1"}]
commonLabels: {a: b}
% b/kustomization.yaml
commonLabels: {c: d}
configMapGenerator: [{name: c, literals: [a=b]}]
`),
    ).toBe(`apiVersion: v1
data:
  a: b
kind: ConfigMap
metadata:
  labels:
    a: b
    c: d
  name: c-4h2mbtbbt6
# Warning: 'bases' is deprecated. Please use 'resources' instead. Run 'kustomize edit fix' to update your Kustomization automatically.
# Warning: 'commonLabels' is deprecated. Please use 'labels' instead. Run 'kustomize edit fix' to update your Kustomization automatically.
# Warning: 'imageTags' is deprecated. Please use 'images' instead. Run 'kustomize edit fix' to update your Kustomization automatically.
# Warning: 'commonLabels' is deprecated. Please use 'labels' instead. Run 'kustomize edit fix' to update your Kustomization automatically.
`);
  });

  it("keeps the order when told so", () => {
    expect(
      built(`% kustomization.yaml
sortOptions: {order: fifo}
resources: [all.yaml]
% all.yaml
apiVersion: v1
kind: Pod
metadata: {name: z}
---
apiVersion: v1
kind: Namespace
metadata: {name: a}
`),
    ).toBe(`apiVersion: v1
kind: Pod
metadata:
  name: z
---
apiVersion: v1
kind: Namespace
metadata:
  name: a
`);
  });

  it("takes its own order of kinds", () => {
    expect(
      built(`% kustomization.yaml
sortOptions: {order: legacy, legacySortOptions: {orderFirst: [Pod], orderLast: [Namespace]}}
resources: [all.yaml]
% all.yaml
apiVersion: v1
kind: Namespace
metadata: {name: a}
---
apiVersion: v1
kind: Service
metadata: {name: a}
---
apiVersion: v1
kind: Pod
metadata: {name: z}
`),
    ).toBe(`apiVersion: v1
kind: Pod
metadata:
  name: z
---
apiVersion: v1
kind: Service
metadata:
  name: a
---
apiVersion: v1
kind: Namespace
metadata:
  name: a
`);
  });

  it("puts namespaces first and webhooks last", () => {
    expect(
      built(`% kustomization.yaml
resources: [all.yaml]
% all.yaml
apiVersion: v1
kind: Pod
metadata: {name: b}
---
apiVersion: v1
kind: Pod
metadata: {name: a, namespace: z}
---
apiVersion: v1
kind: Pod
metadata: {name: a}
---
apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: a}
---
apiVersion: v1
kind: Node
metadata: {name: a}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: a}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: a}
`),
    ).toBe(`apiVersion: apps/v1
kind: ReplicaSet
metadata:
  name: a
---
apiVersion: v1
kind: Node
metadata:
  name: a
---
apiVersion: v1
kind: Pod
metadata:
  name: a
  namespace: z
---
apiVersion: v1
kind: Pod
metadata:
  name: a
---
apiVersion: v1
kind: Pod
metadata:
  name: b
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata:
  name: a
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata:
  name: a
`);
  });

  it("refuses other orders", () => {
    expect(
      built(`% kustomization.yaml
sortOptions: {order: other}
namePrefix: x
`),
    ).toBe(`error: the field 'sortOptions.order' must be one of [fifo, legacy]
(exit 1)
`);
  });
});
