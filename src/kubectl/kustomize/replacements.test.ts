// What `kubectl kustomize` v1.36.3 prints for the same folders.

import { describe, expect, it } from "vitest";
import { built } from "./kustomize.test-kit.ts";

describe("replacements of a kustomization", () => {
  it("copy a field of one object into fields of others, and make what is not there", () => {
    expect(
      built(`% kustomization.yaml
resources: [r.yaml]
replacements:
- source: {kind: ConfigMap, name: conf, fieldPath: data.host}
  targets:
  - select: {kind: Deployment}
    fieldPaths:
    - spec.template.spec.containers.[name=web].env.[name=HOST].value
    - metadata.annotations.[example.com/host]
    options: {create: true}
% r.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: conf}
data: {host: "db.example:5432", port: "80"}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 1
  template:
    spec:
      containers:
      - name: web
        image: nginx:1.27
        env: [{name: HOST, value: x}]
      - name: side
        image: busybox
`),
    ).toBe(`apiVersion: v1
data:
  host: db.example:5432
  port: "80"
kind: ConfigMap
metadata:
  name: conf
---
apiVersion: apps/v1
kind: Deployment
metadata:
  annotations:
    example.com/host: db.example:5432
  name: web
spec:
  replicas: 1
  template:
    spec:
      containers:
      - env:
        - name: HOST
          value: db.example:5432
        image: nginx:1.27
        name: web
      - image: busybox
        name: side
`);
  });

  it("change one part of a value between delimiters, or put it before and behind", () => {
    expect(
      built(`% kustomization.yaml
resources: [r.yaml]
replacements:
- source: {kind: ConfigMap, name: conf, fieldPath: data.host, options: {delimiter: ":", index: 1}}
  targets:
  - select: {kind: Deployment}
    fieldPaths: [spec.template.spec.containers.*.image]
    options: {delimiter: ":", index: 1}
  - select: {kind: Deployment}
    fieldPaths: [spec.replicas]
- source: {kind: ConfigMap, name: conf, fieldPath: data.host}
  targets:
  - select: {kind: Deployment}
    fieldPaths: [spec.template.spec.containers.0.image]
    options: {delimiter: "/", index: -1}
  - select: {kind: Deployment}
    fieldPaths: [spec.template.spec.containers.1.image]
    options: {delimiter: "/", index: 9}
% r.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: conf}
data: {host: "db.example:5432", port: "80"}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 1
  template:
    spec:
      containers:
      - name: web
        image: nginx:1.27
      - name: side
        image: busybox:1
`),
    ).toBe(`apiVersion: v1
data:
  host: db.example:5432
  port: "80"
kind: ConfigMap
metadata:
  name: conf
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 5432
  template:
    spec:
      containers:
      - image: db.example:5432/nginx:5432
        name: web
      - image: busybox:5432/db.example:5432
        name: side
`);
  });

  it("come from files too, one or a list of them; rejected targets stay", () => {
    expect(
      built(`% kustomization.yaml
namePrefix: p-
resources: [r.yaml]
replacements:
- path: one.yaml
- path: many.yaml
% many.yaml
- source: {kind: ConfigMap, name: conf, fieldPath: data.port}
  targets:
  - select: {kind: Service}
    fieldPaths: [spec.ports.0.port]
- source: {kind: ConfigMap, name: conf, fieldPath: data}
  targets:
  - select: {kind: Service}
    reject: [{name: "api.*"}]
    fieldPaths: [metadata.annotations]
    options: {create: true}
% one.yaml
source: {kind: ConfigMap, name: conf}
targets:
- select: {name: web}
  fieldPaths: [metadata.labels.from]
  options: {create: true}
% r.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: conf}
data: {host: "db", port: "81"}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {ports: [{port: 80}]}
---
apiVersion: v1
kind: Service
metadata: {name: api-x}
spec: {ports: [{port: 80}]}
`),
    ).toBe(`apiVersion: v1
data:
  host: db
  port: "81"
kind: ConfigMap
metadata:
  name: p-conf
---
apiVersion: v1
kind: Service
metadata:
  name: p-api-x
spec:
  ports:
  - port: 81
---
apiVersion: v1
kind: Service
metadata:
  annotations:
    host: db
    port: "81"
  labels:
    from: p-conf
  name: p-web
spec:
  ports:
  - port: 81
`);
  });

  it("reach all items with a star, and items by a regular expression", () => {
    expect(
      built(`% kustomization.yaml
resources: [r.yaml]
replacements:
- source: {kind: ConfigMap, name: conf, fieldPath: data.host}
  targets:
  - select: {kind: Ingress}
    fieldPaths: [spec.rules.*.host, "spec.tls.0.hosts.[=old]"]
- source: {kind: ConfigMap, name: conf, fieldPath: "data.[a.b]"}
  targets:
  - select: {kind: Ingress}
    fieldPaths: ["spec.rules.[host=.*db].x", 'metadata.annotations.example\\.com/y']
    options: {create: true}
% r.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: conf}
data: {host: "db", a.b: "81"}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: web}
spec:
  tls: [{hosts: [old, other, older]}]
  rules: [{host: a}, {host: b}]
`),
    ).toBe(`apiVersion: v1
data:
  a.b: "81"
  host: db
kind: ConfigMap
metadata:
  name: conf
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  annotations:
    example.com/y: "81"
  name: web
spec:
  rules:
  - host: db
    x: 81
  - host: db
    x: 81
  tls:
  - hosts:
    - db
    - other
    - db
`);
  });

  it("keep the type of a field that is there; a new one is what its text looks like", () => {
    expect(
      built(`% kustomization.yaml
resources: [r.yaml]
replacements:
- source: {kind: ConfigMap, name: conf, fieldPath: data.port}
  targets:
  - select: {kind: Service}
    fieldPaths: [spec.ports.0.targetPort, metadata.labels.port]
    options: {create: true}
- source: {kind: Service, name: web, fieldPath: spec.ports.0.port}
  targets:
  - select: {kind: ConfigMap}
    fieldPaths: [data.host]
- sourceValue: hello
  targets:
  - select: {kind: ConfigMap}
    fieldPaths: [data.said]
    options: {create: true}
% r.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: conf}
data: {host: "db", port: "81"}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {ports: [{port: 80}]}
`),
    ).toBe(`apiVersion: v1
data:
  host: "80"
  port: "81"
  said: hello
kind: ConfigMap
metadata:
  name: conf
---
apiVersion: v1
kind: Service
metadata:
  labels:
    port: 81
  name: web
spec:
  ports:
  - port: 80
    targetPort: 81
`);
  });

  it("cannot put a text into a number", () => {
    expect(
      built(`% kustomization.yaml
resources: [r.yaml]
replacements:
- source: {kind: ConfigMap, name: conf, fieldPath: data.host}
  targets:
  - select: {kind: Service}
    fieldPaths: [spec.ports.0.port]
% r.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: conf}
data: {host: "db", port: "81"}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {ports: [{port: 80}]}
`),
    ).toBe(`error: map[string]interface {}(nil): yaml: cannot decode !!str \`db\` as a !!int
(exit 1)
`);
  });

  it("reach into JSON and YAML that a field holds as text", () => {
    expect(
      built(`% kustomization.yaml
resources: [r.yaml]
replacements:
- source: {kind: Service, name: web}
  targets:
  - select: {kind: ConfigMap}
    fieldPaths: [data.config\\.json.db.host, data.pretty.db.host, data.yaml.db.host]
% r.yaml
apiVersion: v1
kind: Service
metadata: {name: web}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: conf}
data:
  config.json: '{"z": 1, "db": {"port": 5, "host": "old"}}'
  pretty: |
    {
      "z": 1,
      "db": {
        "host": "old"
      }
    }
  yaml: |
    z: 1
    db:
      port: 5
      host: old
    list:
    - a
    - b: 1
      c: 2
`),
    ).toBe(`apiVersion: v1
data:
  config.json: '{"db":{"host":"web","port":5},"z":1}'
  pretty: |-
    {
      "db": {
        "host": "web"
      },
      "z": 1
    }
  yaml: |-
    z: 1
    db:
      port: 5
      host: web
    list:
    - a
    - b: 1
      c: 2
kind: ConfigMap
metadata:
  name: conf
---
apiVersion: v1
kind: Service
metadata:
  name: web
`);
  });

  it("select and reject by labels", () => {
    expect(
      built(`% kustomization.yaml
resources: [r.yaml]
replacements:
- source: {kind: ConfigMap, name: conf, fieldPath: metadata.name}
  targets:
  - select: {labelSelector: "app=x"}
    reject: [{labelSelector: "tier=b"}, {kind: Service}]
    fieldPaths: [metadata.labels.done]
    options: {create: true}
% r.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: conf}
---
apiVersion: v1
kind: Pod
metadata: {name: a, labels: {app: x}}
---
apiVersion: v1
kind: Pod
metadata: {name: b, labels: {app: x, tier: b}}
---
apiVersion: v1
kind: Service
metadata: {name: b, labels: {app: x}}
`),
    ).toBe(`apiVersion: v1
kind: ConfigMap
metadata:
  name: conf
---
apiVersion: v1
kind: Service
metadata:
  labels:
    app: x
  name: b
---
apiVersion: v1
kind: Pod
metadata:
  labels:
    app: x
    done: conf
  name: a
---
apiVersion: v1
kind: Pod
metadata:
  labels:
    app: x
    tier: b
  name: b
`);
  });
});
