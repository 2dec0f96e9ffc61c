// What kubectl describes of Ingresses and their classes.

import { describe, expect, it } from "vitest";
import { kubectlWorld } from "../kubectl.test-kit.ts";

const ingress = `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: web
  labels: {app: web}
  annotations: {example.com/owner: shop}
spec:
  ingressClassName: nginx
  tls:
  - {hosts: [a.example.com, b.example.com], secretName: web-tls}
  - {hosts: [c.example.com]}
  rules:
  - host: a.example.com
    http:
      paths:
      - {path: /one, pathType: Prefix, backend: {service: {name: service1, port: {number: 4200}}}}
      - {path: /two, pathType: Prefix, backend: {service: {name: gone, port: {number: 80}}}}
  - http:
      paths:
      - {path: /, pathType: Prefix, backend: {service: {name: empty, port: {name: http}}}}
      - {path: /icons, pathType: Prefix, backend: {resource: {apiGroup: k8s.example.com, kind: StorageBucket, name: icons}}}
---
apiVersion: v1
kind: Service
metadata: {name: service1}
spec: {ports: [{port: 4200}]}
---
apiVersion: v1
kind: Service
metadata: {name: empty}
spec: {ports: [{name: http, port: 80}]}
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: service1-a, labels: {kubernetes.io/service-name: service1}}
addressType: IPv4
ports: [{port: 4200, name: ""}]
endpoints: [{addresses: [10.8.0.90]}, {addresses: [10.8.0.91]}]
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: empty-a, labels: {kubernetes.io/service-name: empty}}
addressType: IPv4
endpoints: []
`;

describe("kubectl describe ingress", () => {
  it("[NET-223] [NET-224] [NET-432] shows TLS, rules and the endpoints behind them", () => {
    const world = kubectlWorld();
    world.run("apply -f -", { stdin: ingress });
    expect(world.run("describe ingress web").stdout).toBe(`Name:             web
Labels:           app=web
Namespace:        default
Address:          
Ingress Class:    nginx
Default backend:  <default>
TLS:
  web-tls terminates a.example.com,b.example.com
  SNI routes c.example.com
Rules:
  Host           Path  Backends
  ----           ----  --------
  a.example.com  
                 /one   service1:4200 (10.8.0.90:4200,10.8.0.91:4200)
                 /two   gone:80 (<error: services "gone" not found>)
  *              
                 /        empty:http ()
                 /icons   APIGroup: k8s.example.com, Kind: StorageBucket, Name: icons
Annotations:     example.com/owner: shop
Events:          <none>
`);
  });

  it("[NET-432] without rules its default backend has everything", () => {
    const world = kubectlWorld();
    world.run("create ingress all --default-backend=web:80 --class=nginx");
    expect(world.run("describe ingress all").stdout).toContain(`Default backend:  web:80 (<error: services "web" not found>)
Rules:
  Host        Path  Backends
  ----        ----  --------
  *           *     web:80 (<error: services "web" not found>)
`);
  });

  it("[NET-209] older versions are not there", () => {
    const world = kubectlWorld();
    for (const version of ["networking.k8s.io/v1beta1", "extensions/v1beta1"]) {
      const stdin = `apiVersion: ${version}\nkind: Ingress\nmetadata: {name: web}\n`;
      expect(world.run("apply -f -", { stdin }).stderr).toContain(
        `no matches for kind "Ingress" in version "${version}"\nensure CRDs are installed first`,
      );
    }
  });

  it("[NET-433] a class shows its controller and its parameters", () => {
    const world = kubectlWorld();
    const stdin = `apiVersion: networking.k8s.io/v1
kind: IngressClass
metadata: {name: external, labels: {tier: edge}}
spec:
  controller: example.com/ingress-controller
  parameters: {apiGroup: k8s.example.com, kind: IngressParameters, name: external-lb, scope: Namespace, namespace: ops}
`;
    world.run("apply -f -", { stdin });
    const shown = world.run("describe ingressclass external").stdout;
    expect(shown.replace(/Annotations: .*\n/, "Annotations:  <none>\n")).toBe(`Name:         external
Labels:       tier=edge
Annotations:  <none>
Controller:   example.com/ingress-controller
Parameters:
  APIGroup:  k8s.example.com
  Kind:      IngressParameters
  Name:      external-lb
Events:      <none>
`);
  });
});
