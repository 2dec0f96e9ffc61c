// What good clients send: the beginning of all that the fuzz sends.

import { generateKeyPairSync } from "node:crypto";
import { writeEnvelope } from "#cluster/api/protobuf/envelope.ts";
import type { JsonObject } from "#cluster/api/wire.ts";
import { makeCertificates } from "#server/certificates.ts";

export interface Seed {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly string[];
  readonly body: string | Uint8Array;
}

const inDefault = "/api/v1/namespaces/default";
const json = "Content-Type: application/json";

const objects: readonly (readonly [target: string, object: JsonObject])[] = [
  [
    `${inDefault}/pods`,
    {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "p", labels: { app: "a" }, annotations: { x: "y" } },
      spec: {
        containers: [
          {
            name: "c",
            image: "nginx:1.27",
            command: ["sh", "-c", "exit 0"],
            env: [{ name: "A", value: "$(B)" }],
            resources: { requests: { cpu: "100m", memory: "64Mi" } },
            livenessProbe: { httpGet: { port: 80, path: "/" }, periodSeconds: 3 },
            volumeMounts: [{ name: "v", mountPath: "/v", subPath: "a" }],
          },
        ],
        volumes: [{ name: "v", emptyDir: { sizeLimit: "1Gi" } }],
        tolerations: [{ key: "k", operator: "Exists" }],
      },
    },
  ],
  [
    "/apis/apps/v1/namespaces/default/deployments",
    {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "d" },
      spec: {
        replicas: 1,
        selector: { matchLabels: { a: "b" }, matchExpressions: [{ key: "a", operator: "In", values: ["b"] }] },
        template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "nginx" }] } },
        strategy: { rollingUpdate: { maxSurge: "25%", maxUnavailable: 1 } },
      },
    },
  ],
  [
    `${inDefault}/services`,
    {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "s" },
      spec: { selector: { a: "b" }, ports: [{ port: 80, targetPort: "http" }] },
    },
  ],
  [`${inDefault}/secrets`, { apiVersion: "v1", kind: "Secret", metadata: { name: "t" }, data: { a: "YWJj" }, type: "Opaque" }],
  [
    "/apis/batch/v1/namespaces/default/cronjobs",
    {
      apiVersion: "batch/v1",
      kind: "CronJob",
      metadata: { name: "j" },
      spec: {
        schedule: "*/5 * * * *",
        timeZone: "Europe/Paris",
        jobTemplate: { spec: { template: { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "busybox" }] } } } },
      },
    },
  ],
  [
    "/apis/networking.k8s.io/v1/namespaces/default/networkpolicies",
    {
      apiVersion: "networking.k8s.io/v1",
      kind: "NetworkPolicy",
      metadata: { name: "n" },
      spec: {
        podSelector: {},
        ingress: [{ from: [{ ipBlock: { cidr: "10.0.0.0/8", except: ["10.1.0.0/16"] } }], ports: [{ port: 80, endPort: 90 }] }],
      },
    },
  ],
  [
    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
    {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: "as.b.io" },
      spec: {
        group: "b.io",
        scope: "Namespaced",
        names: { plural: "as", kind: "A" },
        versions: [
          {
            name: "v1",
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: "object",
                properties: {
                  spec: {
                    type: "object",
                    properties: { n: { type: "string", pattern: "^[a-z]+$", maxLength: 20, default: "a" } },
                    "x-kubernetes-validations": [
                      { rule: "self.n.matches('a+') && has(self.n)", messageExpression: "'no ' + self.n" },
                    ],
                  },
                },
              },
            },
          },
        ],
      },
    },
  ],
  [
    "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies",
    {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingAdmissionPolicy",
      metadata: { name: "v" },
      spec: {
        matchConstraints: {
          resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }],
        },
        validations: [{ expression: "object.data.size() < 3 || object.metadata.name == 'x'" }],
      },
    },
  ],
];

const queries: readonly string[] = [
  `${inDefault}/pods?labelSelector=a%3Db,c%20in%20(d,e)&fieldSelector=status.phase%3DRunning&limit=5`,
  `${inDefault}/pods?limit=2&continue=eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MSwic3RhcnQiOiJhIn0`,
  `${inDefault}/pods/p/log?container=c&tailLines=3&sinceSeconds=5&timestamps=true`,
  "/apis/apps/v1/deployments?resourceVersion=0&resourceVersionMatch=NotOlderThan&pretty=true",
  "/openapi/v3/apis/apps/v1?hash=00",
  "/api/v1/nodes?watch=true&timeoutSeconds=1&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan",
  "/livez?verbose&exclude=etcd",
  `${inDefault}/services/http:kubernetes:443/proxy/healthz?x=y`,
  "/statusz",
];
const accepts: readonly string[] = [
  "application/json",
  "application/vnd.kubernetes.protobuf, */*",
  "application/vnd.kubernetes.protobuf",
  "application/json;as=Table;v=v1;g=meta.k8s.io, application/json",
  "application/yaml;q=0.5, application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
];
const patches: readonly (readonly [string, string])[] = [
  [
    "application/json-patch+json",
    '[{"op":"add","path":"/metadata/labels/a~1b","value":"c"},{"op":"test","path":"/kind","value":"ConfigMap"}]',
  ],
  ["application/merge-patch+json", '{"metadata":{"labels":{"a":null}},"data":{"k":"v"}}'],
  [
    "application/strategic-merge-patch+json",
    '{"data":{"$patch":"replace","k":"v"},"metadata":{"finalizers":["a/b"],"$setElementOrder/finalizers":["a/b"]}}',
  ],
  [
    "application/apply-patch+yaml",
    "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: kube-root-ca.crt\ndata: {k: &a v, l: *a}\n",
  ],
];

/** With certificates and requests for some. */
export function allSeeds(): readonly Seed[] {
  const bodies = [...objects, ...certificateObjects()];
  return [
    ...queries.flatMap((target) =>
      accepts.map((accept): Seed => ({ method: "GET", target, headers: [`Accept: ${accept}`], body: "" })),
    ),
    ...bodies.map(([target, object]): Seed => ({ method: "POST", target, headers: [json], body: JSON.stringify(object) })),
    ...bodies.flatMap(([target, object]): readonly Seed[] => {
      const body = writeEnvelope(object);
      const headers = ["Content-Type: application/vnd.kubernetes.protobuf", "Accept: application/vnd.kubernetes.protobuf"];
      return body === undefined ? [] : [{ method: "POST", target, headers, body }];
    }),
    ...patches.map(([type, body]): Seed => {
      const target = `${inDefault}/configmaps/kube-root-ca.crt?fieldManager=fuzz&dryRun=All`;
      return { method: "PATCH", target, headers: [`Content-Type: ${type}`], body };
    }),
    {
      method: "DELETE",
      target: `${inDefault}/pods?labelSelector=a%3Db`,
      headers: [json],
      body: '{"gracePeriodSeconds":0,"preconditions":{"uid":"x"}}',
    },
    { method: "GET", target: `${inDefault}/pods/p/exec?command=sh&stdin=1`, headers: upgrade("v5.channel.k8s.io"), body: "" },
    { method: "GET", target: `${inDefault}/pods/p/portforward?ports=80`, headers: upgrade("v4.base64.channel.k8s.io"), body: "" },
  ];
}

function upgrade(protocol: string): readonly string[] {
  return [
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
    `Sec-WebSocket-Protocol: ${protocol}`,
  ];
}

/** Made anew each time; what is changed in them depends on the seed alone. */
function certificateObjects(): readonly (readonly [string, JsonObject])[] {
  const { authorityPem, serving } = makeCertificates(["127.0.0.1"], Date.now());
  const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const pems = [authorityPem, serving.certificatePem, publicKey.export({ type: "spki", format: "pem" }).toString()];
  const encoded = pems.map((pem) => Buffer.from(pem).toString("base64"));
  return [
    ...encoded.map((request): readonly [string, JsonObject] => [
      "/apis/certificates.k8s.io/v1/certificatesigningrequests",
      {
        apiVersion: "certificates.k8s.io/v1",
        kind: "CertificateSigningRequest",
        metadata: { name: "csr" },
        spec: { request, signerName: "kubernetes.io/kube-apiserver-client", usages: ["client auth"], expirationSeconds: 3600 },
      },
    ]),
    [
      `${inDefault}/secrets`,
      {
        apiVersion: "v1",
        kind: "Secret",
        metadata: { name: "tls" },
        type: "kubernetes.io/tls",
        data: { "tls.crt": encoded[1] ?? "", "tls.key": Buffer.from(serving.keyPem).toString("base64") },
      },
    ],
    [
      "/apis/apiregistration.k8s.io/v1/apiservices",
      {
        apiVersion: "apiregistration.k8s.io/v1",
        kind: "APIService",
        metadata: { name: "v1.c.io" },
        spec: {
          group: "c.io",
          version: "v1",
          groupPriorityMinimum: 1,
          versionPriority: 1,
          caBundle: encoded[0] ?? "",
          service: { name: "s", namespace: "default" },
        },
      },
    ],
  ];
}
