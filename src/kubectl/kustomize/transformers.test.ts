// What `kubectl kustomize` v1.36.3 prints for the same folders.

import { describe, expect, it } from "vitest";
import { built } from "./kustomize.test-kit.ts";

describe("what a kustomization does to all objects", () => {
  it("puts labels where it is told: metadata, templates, selectors, named fields", () => {
    expect(
      built(`% kustomization.yaml
resources: [all.yaml]
labels:
- pairs: {a: "1"}
- pairs: {b: "2"}
  includeTemplates: true
- pairs: {c: "3"}
  includeSelectors: true
- pairs: {d: "4"}
  fields:
  - {kind: Pod, path: spec/nodeSelector, create: true}
commonAnnotations: {note: x}
% all.yaml
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  template:
    spec:
      affinity:
        podAntiAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
          - labelSelector: {matchLabels: {app: x}}
          preferredDuringSchedulingIgnoredDuringExecution:
          - podAffinityTerm: {labelSelector: {matchLabels: {app: x}}}
      topologySpreadConstraints:
      - labelSelector: {matchLabels: {app: x}}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: web}
spec:
  volumeClaimTemplates: [{metadata: {name: a}}]
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: web}
spec: {schedule: "* * * * *"}
---
apiVersion: batch/v1
kind: Job
metadata: {name: web}
spec: {selector: {matchLabels: {x: y}}}
---
apiVersion: v1
kind: Pod
metadata: {name: web}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: x}}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: web}
spec:
  podSelector: {matchLabels: {app: x}}
  ingress: [{from: [{podSelector: {matchLabels: {q: r}}}, {podSelector: {}}]}]
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web}
spec: {selector: {matchLabels: {app: x}}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: web, annotations: {}, labels: }
`),
    ).toBe(`apiVersion: v1
kind: ConfigMap
metadata:
  annotations:
    note: x
  labels:
    a: "1"
    b: "2"
    c: "3"
    d: "4"
  name: web
---
apiVersion: v1
kind: Service
metadata:
  annotations:
    note: x
  labels:
    a: "1"
    b: "2"
    c: "3"
    d: "4"
  name: web
spec:
  selector:
    app: x
    c: "3"
---
apiVersion: apps/v1
kind: Deployment
metadata:
  annotations:
    note: x
  labels:
    a: "1"
    b: "2"
    c: "3"
    d: "4"
  name: web
spec:
  selector:
    matchLabels:
      c: "3"
  template:
    metadata:
      annotations:
        note: x
      labels:
        b: "2"
        c: "3"
    spec:
      affinity:
        podAntiAffinity:
          preferredDuringSchedulingIgnoredDuringExecution:
          - podAffinityTerm:
              labelSelector:
                matchLabels:
                  app: x
                  c: "3"
          requiredDuringSchedulingIgnoredDuringExecution:
          - labelSelector:
              matchLabels:
                app: x
                c: "3"
      topologySpreadConstraints:
      - labelSelector:
          matchLabels:
            app: x
            c: "3"
---
apiVersion: apps/v1
kind: StatefulSet
metadata:
  annotations:
    note: x
  labels:
    a: "1"
    b: "2"
    c: "3"
    d: "4"
  name: web
spec:
  selector:
    matchLabels:
      c: "3"
  template:
    metadata:
      annotations:
        note: x
      labels:
        b: "2"
        c: "3"
  volumeClaimTemplates:
  - metadata:
      labels:
        b: "2"
        c: "3"
      name: a
---
apiVersion: batch/v1
kind: CronJob
metadata:
  annotations:
    note: x
  labels:
    a: "1"
    b: "2"
    c: "3"
    d: "4"
  name: web
spec:
  jobTemplate:
    metadata:
      annotations:
        note: x
      labels:
        b: "2"
        c: "3"
    spec:
      template:
        metadata:
          annotations:
            note: x
          labels:
            b: "2"
            c: "3"
  schedule: '* * * * *'
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  annotations:
    note: x
  labels:
    a: "1"
    b: "2"
    c: "3"
    d: "4"
  name: web
spec:
  selector:
    matchLabels:
      app: x
      c: "3"
---
apiVersion: batch/v1
kind: Job
metadata:
  annotations:
    note: x
  labels:
    a: "1"
    b: "2"
    c: "3"
    d: "4"
  name: web
spec:
  selector:
    matchLabels:
      c: "3"
      x: "y"
  template:
    metadata:
      annotations:
        note: x
      labels:
        b: "2"
        c: "3"
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  annotations:
    note: x
  labels:
    a: "1"
    b: "2"
    c: "3"
    d: "4"
  name: web
spec:
  ingress:
  - from:
    - podSelector:
        matchLabels:
          c: "3"
          q: r
    - podSelector: {}
  podSelector:
    matchLabels:
      app: x
      c: "3"
---
apiVersion: v1
kind: Pod
metadata:
  annotations:
    note: x
  labels:
    a: "1"
    b: "2"
    c: "3"
    d: "4"
  name: web
spec:
  nodeSelector:
    d: "4"
`);
  });

  it("refuses fields that contradict its own", () => {
    expect(
      built(`% kustomization.yaml
labels:
- pairs: {a: "1"}
  includeSelectors: true
  fields: [{kind: Deployment, path: spec/selector/matchLabels}]
`),
    ).toBe(`error: failed to merge labels: conflicting fieldspecs
(exit 1)
`);
  });

  it("refuses a text where labels should go", () => {
    expect(
      built(`% kustomization.yaml
resources: [all.yaml]
commonLabels: {a: b}
% all.yaml
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: foo}
`),
    ).toBe(`# Warning: 'commonLabels' is deprecated. Please use 'labels' instead. Run 'kustomize edit fix' to update your Kustomization automatically.
error: considering field 'spec/selector' of object Service.v1.[noGrp]/web.[noNs]: wrong node kind: expected MappingNode but got ScalarNode: node contents:
foo
(exit 1)
`);
  });

  it("gives images names, tags and digests; a suffix of tags is added twice in Pods, as upstream does", () => {
    expect(
      built(`% kustomization.yaml
resources: [all.yaml]
images:
- {name: nginx, newTag: "2"}
- {name: reg.io:5000/app, newName: other/app}
- {name: redis, digest: "sha256:abc"}
- {name: busybox, newName: bb, newTag: "9", digest: "sha256:def"}
- {name: suf, tagSuffix: -x}
- {name: vol, newTag: v2}
% all.yaml
apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  initContainers: [{name: i, image: "suf:1"}]
  containers:
  - {name: a, image: nginx}
  - {name: b, image: "nginx:1@sha256:123"}
  - {name: c, image: "reg.io:5000/app:4"}
  - {name: d, image: "redis:7"}
  - {name: e, image: busybox}
  - {name: f, image: nginx-x}
  - {name: g, image: docker.io/nginx}
  - {name: h}
  volumes: [{name: v, image: {reference: "vol:v1"}}]
---
apiVersion: example.com/v1
kind: Thing
metadata: {name: t}
spec: {deep: {containers: [{image: nginx}, {image: "suf:1"}]}}
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: t}
spec: {jobTemplate: {spec: {template: {spec: {containers: [{image: "suf:1"}]}}}}}
`),
    ).toBe(`apiVersion: batch/v1
kind: CronJob
metadata:
  name: t
spec:
  jobTemplate:
    spec:
      template:
        spec:
          containers:
          - image: suf:1-x
---
apiVersion: example.com/v1
kind: Thing
metadata:
  name: t
spec:
  deep:
    containers:
    - image: nginx:2
    - image: suf:1-x
---
apiVersion: v1
kind: Pod
metadata:
  name: p
spec:
  containers:
  - image: nginx:2
    name: a
  - image: nginx:2
    name: b
  - image: other/app:4
    name: c
  - image: redis@sha256:abc
    name: d
  - image: bb:9@sha256:def
    name: e
  - image: nginx-x
    name: f
  - image: docker.io/nginx
    name: g
  - name: h
  initContainers:
  - image: suf:1-x-x
    name: i
  volumes:
  - image:
      reference: vol:v2
    name: v
`);
  });

  it("scales what has or had a name", () => {
    expect(
      built(`% kustomization.yaml
namePrefix: x-
resources: [all.yaml]
replicas: [{name: web, count: 4}, {name: x-db, count: 0}]
% all.yaml
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec: {replicas: 2}
`),
    ).toBe(`apiVersion: apps/v1
kind: Deployment
metadata:
  name: x-web
spec:
  replicas: 4
---
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: x-db
spec:
  replicas: 0
`);
  });

  it("refuses to scale what is not there", () => {
    expect(
      built(`% kustomization.yaml
resources: [all.yaml]
replicas: [{name: web, count: 4}]
% all.yaml
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: web}
`),
    ).toBe(`error: resource with name web does not match a config with the following GVK [Deployment.[noVer].[noGrp] StatefulSet.[noVer].[noGrp] ReplicaSet.[noVer].[noGrp] ReplicationController.[noVer].[noGrp]]
(exit 1)
`);
  });

  it("refuses two objects of one name in the namespace", () => {
    expect(
      built(`% kustomization.yaml
namespace: ns
resources: [all.yaml]
% all.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: a, namespace: x}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: a, namespace: y}
`),
    ).toBe(`error: namespace transformation produces ID conflict: [{"apiVersion":"v1","kind":"ConfigMap","metadata":{"annotations":{"internal.config.kubernetes.io/previousKinds":"ConfigMap","internal.config.kubernetes.io/previousNames":"a","internal.config.kubernetes.io/previousNamespaces":"x"},"name":"a","namespace":"ns"}} {"apiVersion":"v1","kind":"ConfigMap","metadata":{"annotations":{"internal.config.kubernetes.io/previousKinds":"ConfigMap","internal.config.kubernetes.io/previousNames":"a","internal.config.kubernetes.io/previousNamespaces":"y"},"name":"a","namespace":"ns"}}]
(exit 1)
`);
  });

  it("cannot write keys that stand for numbers", () => {
    expect(
      built(`% kustomization.yaml
resources: [x.yaml]
commonAnnotations: {"1": a}
% x.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: a, labels: {"1": b}}
data: {"1": x, n: "y", t: 3, l: [a, 1, true, null], u: 1.5}
`),
    ).toBe(`error: map[string]interface {}{"apiVersion":"v1", "data":map[string]interface {}{"1":"x", "l":[]interface {}{"a", 1, true, interface {}(nil)}, "n":"y", "t":3, "u":1.5}, "kind":"ConfigMap", "metadata":map[string]interface {}{"annotations":map[interface {}]interface {}{1:"a"}, "labels":map[string]interface {}{"1":"b"}, "name":"a"}}: json: unsupported type: map[interface {}]interface {}
(exit 1)
`);
  });
});
