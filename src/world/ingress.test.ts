// The Ingress controller in a cluster: a learner's way through the lessons about Ingress, by commands.

import { describe, expect, it } from "vitest";
import { managerManifest } from "./cloud.test-kit.ts";
import { backend, controllerManifest, ingressWorld } from "./ingress.test-kit.ts";

const rule = (host: string, paths: readonly string[]): string =>
  `  - host: ${JSON.stringify(host)}\n    http:\n      paths:\n${paths.map((path) => `      - ${path}\n`).join("")}`;
const path = (type: string, where: string, service: string, port: number): string =>
  `{path: ${where}, pathType: ${type}, backend: {service: {name: ${service}, port: {number: ${port}}}}}`;
const ingress = (name: string, spec: string, metadata = ""): string =>
  `apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: ${name}${metadata}}\nspec:\n  ingressClassName: nginx\n${spec}`;

const everything = ingress("test-ingress", "  defaultBackend: {service: {name: test, port: {number: 80}}}\n");

describe("an Ingress and its controller", () => {
  it("[NET-215] [NET-217] [NET-219] [NET-222] gets an address and routes, and 503 while its Service is away", () => {
    const { apply, ask, learner, wait, events, address, log } = ingressWorld();
    apply(backend("test", 80));
    wait(30);
    expect(ask("any.example", "/")).toMatch(/404 Not Found[\s\S]*nginx[\s\S]* 404$/);
    apply(everything);
    expect(ask("any.example", "/hostname")).toMatch(/^test-\S+ 200$/);
    wait(60);
    const node = learner.run("kubectl get pods -n ingress-controller -o jsonpath='{.items[0].status.hostIP}'; echo").trim();
    expect(address("test-ingress")).toBe(node);
    expect(learner.run("kubectl get ingress --no-headers")).toMatch(
      new RegExp(`^test-ingress +nginx +\\* +${node.replaceAll(".", "\\.")} +80 +\\S+\\n$`),
    );
    expect(events("test-ingress")).toEqual(["Normal Sync Scheduled for sync"]);
    expect(learner.run("kubectl describe ingress test-ingress")).toMatch(
      /Normal +Sync +\d+s \(x2 over \S+\) +ingress-controller +Scheduled for sync/,
    );

    apply(
      everything.replace(
        "  defaultBackend: {service: {name: test, port: {number: 80}}}\n",
        `  rules:\n${rule("demo.example.com", [path("Prefix", "/testpath", "test", 80)])}`,
      ),
    );
    expect(ask("demo.example.com", "/testpath")).toMatch(/^NOW: .* 200$/);
    expect(ask("other.example.com", "/testpath")).toMatch(/404 Not Found/);

    learner.run("kubectl delete service test");
    wait(6);
    expect(ask("demo.example.com", "/testpath")).toMatch(/503 Service Temporarily Unavailable[\s\S]* 503$/);
    expect(log()).toContain(
      'Error obtaining Endpoints for Service "default/test": no object matching key "default/test" in local store',
    );
    apply(backend("test", 80));
    expect(ask("demo.example.com", "/testpath")).not.toMatch(/503/);

    learner.run("kubectl scale deployment ingress-controller -n ingress-controller --replicas=0");
    wait(30);
    expect(address("test-ingress")).toBe("");
    expect(learner.run(`curl -s -m 5 -H 'Host: demo.example.com' http://${node}/testpath; echo $?`)).toBe("7\n");
    learner.run("kubectl scale deployment ingress-controller -n ingress-controller --replicas=1");
    wait(90);
    expect(ask("demo.example.com", "/testpath")).not.toMatch(/503|404 Not Found/);
    expect(address("test-ingress")).not.toBe("");
  });

  it("[NET-218] [NET-220] routes by host and path to the Pods themselves, and tells them who asked", () => {
    const { apply, ask, learner, wait, world } = ingressWorld();
    for (const [name, port] of [
      ["service1", 4200],
      ["service2", 8080],
      ["service3", 80],
    ] as const)
      apply(backend(name, port));
    wait(30);
    apply(
      ingress(
        "fanout",
        `  rules:\n${rule("foo.bar.com", [path("Prefix", "/hostname", "service1", 4200), path("Prefix", "/header", "service2", 8080)])}`,
      ),
    );
    expect(ask("foo.bar.com", "/hostname")).toMatch(/^service1-\S+ 200$/);
    expect(ask("FOO.bar.com:80", "/hostname")).toMatch(/^service1-\S+ 200$/);
    const names = learner.run(
      "for i in 1 2 3 4; do curl -s -H 'Host: foo.bar.com' http://$(kubectl get pods -n ingress-controller -o jsonpath='{.items[0].status.hostIP}')/hostname; echo; done",
    );
    expect(new Set(names.trim().split("\n")).size).toBe(2);
    const header = (name: string): string => ask("foo.bar.com", `/header?key=${name}`).replace(/ 200$/, "");
    expect(header("X-Forwarded-Host")).toBe("foo.bar.com");
    expect(header("X-Forwarded-Proto")).toBe("http");
    expect(header("X-Forwarded-Port")).toBe("80");
    expect(header("X-Real-Ip")).toBe(world.workstation.address);
    expect(header("X-Forwarded-For")).toBe(header("X-Real-Ip"));
    expect(header("X-Request-Id")).toMatch(/^[0-9a-f]{32}$/);

    apply(
      ingress(
        "hosts",
        `  rules:\n${rule("*.foo.com", [path("Prefix", "/", "service2", 8080)])}  - http:\n      paths:\n      - ${path("Prefix", "/", "service3", 80)}\n`,
      ),
    );
    expect(ask("a.foo.com", "/hostname")).toMatch(/^service2-/);
    expect(ask("a.b.foo.com", "/hostname")).toMatch(/^service3-/);
    expect(ask("foo.com", "/hostname")).toMatch(/^service3-/);
    expect(ask("foo.bar.com", "/elsewhere")).toMatch(/404 Not Found[\s\S]*nginx/);
    learner.run(
      `kubectl patch ingress fanout --type=json -p '[{"op":"add","path":"/spec/rules/-","value":{"host":"bar.baz.com","http":{"paths":[{"path":"/","pathType":"Prefix","backend":{"service":{"name":"service2","port":{"number":8080}}}}]}}}]'`,
    );
    wait(6);
    expect(ask("bar.baz.com", "/hostname")).toMatch(/^service2-/);
    const logged = learner.run("kubectl logs -n ingress-controller deploy/ingress-controller --tail=1");
    expect(logged).toMatch(
      /^172\.18\.255\.1 - - \[01\/Jan\/2026:\d\d:\d\d:\d\d \+0000\] "GET \/hostname HTTP\/1\.1" 200 \d+ "-" "curl\/\S+" \d+ \d\.\d{3} \[default-service2-8080\] \[\] 10\.244\.\d+\.\d+:8080 \d+ \d\.\d{3} 200 [0-9a-f]{32}\n$/,
    );
  });

  it("annotations act: rewrites, who may come, body sizes; what does nothing is told", () => {
    const { apply, ask, events, wait, log } = ingressWorld();
    apply(backend("test", 80));
    wait(30);
    const annotated = (name: string, host: string, annotations: string, where = "/"): string =>
      ingress(
        name,
        `  rules:\n${rule(host, [path("ImplementationSpecific", where, "test", 80)])}`,
        `, annotations: {${annotations}}`,
      );
    const prefix = "nginx.ingress.kubernetes.io";
    apply(annotated("rewrite", "rewrite.example", `${prefix}/rewrite-target: "/$2"`, '"/app(/|$)(.*)"'));
    apply(annotated("closed", "closed.example", `${prefix}/whitelist-source-range: 10.1.0.0/16`));
    apply(annotated("open", "open.example", `${prefix}/whitelist-source-range: "172.18.0.0/16, 10.1.0.0/16"`));
    apply(annotated("small", "small.example", `${prefix}/proxy-body-size: "10"`));
    apply(annotated("wrong", "wrong.example", `${prefix}/whitelist-source-range: everyone`));
    apply(annotated("sticky", "sticky.example", `${prefix}/affinity: cookie, ${prefix}/enable-cors: "true"`));
    expect(ask("rewrite.example", "/app/hostname")).toMatch(/^test-\S+ 200$/);
    expect(ask("closed.example", "/hostname")).toMatch(/403 Forbidden/);
    expect(ask("open.example", "/hostname")).toMatch(/ 200$/);
    expect(ask("small.example", "/hostname", "-d 12345678901")).toMatch(/413 Request Entity Too Large/);
    expect(ask("wrong.example", "/hostname")).toMatch(/ 503$/);
    expect(events("wrong")).toContain(
      "Warning AnnotationParsingFailed Error parsing annotations: the annotation does not contain a valid IP address or network: invalid CIDR address: everyone",
    );
    expect(ask("sticky.example", "/hostname", "-i")).toMatch(/Set-Cookie: INGRESSCOOKIE=[\d.]+\|[0-9a-f]{32}; Path=\/; HttpOnly/);
    expect(log()).toContain(`Ingress "default/sticky": ${prefix}/enable-cors: not simulated, has no effect`);
  });
});

describe("TLS", () => {
  const certificates = [
    "openssl req -x509 -nodes -newkey rsa:2048 -days 30 -keyout tls.key -out tls.crt -subj /CN=https-example.foo.com -addext 'subjectAltName=DNS:https-example.foo.com'",
    "openssl req -x509 -nodes -newkey rsa:2048 -days 30 -keyout two.key -out two.crt -subj /CN=two.foo.com -addext 'subjectAltName=DNS:two.foo.com'",
    "kubectl create secret tls testsecret-tls --cert=tls.crt --key=tls.key",
    "kubectl create secret tls two-tls --cert=two.crt --key=two.key",
  ];

  it("[NET-221] certificates are chosen by name, else the controller's own; HTTP is sent to HTTPS", () => {
    const { apply, ask, learner, wait, world } = ingressWorld();
    apply(backend("service1", 80));
    for (const command of certificates) learner.run(command);
    const spec = (secret: string): string =>
      `  tls: [{hosts: [https-example.foo.com], secretName: ${secret}}, {hosts: [two.foo.com], secretName: two-tls}]\n  rules:\n${rule("https-example.foo.com", [path("Prefix", "/", "service1", 80)])}${rule("two.foo.com", [path("Prefix", "/", "service1", 80)])}`;
    apply(ingress("tls-example-ingress", spec("testsecret-tls")));
    wait(30);
    const node = learner.run("kubectl get pods -n ingress-controller -o jsonpath='{.items[0].status.hostIP}'; echo").trim();
    const secure = (host: string, flags: string): string =>
      learner.run(`curl -sv ${flags} --resolve ${host}:443:${node} https://${host}/hostname 2>&1`);
    expect(secure("https-example.foo.com", "--cacert tls.crt")).toMatch(
      /\* {2}subject: CN=https-example\.foo\.com\n[\s\S]*\* {2}SSL certificate verify ok\.\n[\s\S]*< HTTP\/1\.1 200 OK\n[\s\S]*< Strict-Transport-Security: /,
    );
    expect(secure("two.foo.com", "-k")).toMatch(/subject: CN=two\.foo\.com\n[\s\S]*200 OK/);
    expect(secure("unknown.foo.com", "-k")).toMatch(
      /subject: O=Acme Co; CN=Kubernetes Ingress Controller Fake Certificate\n[\s\S]*self-signed certificate \(18\), continuing anyway[\s\S]*404/,
    );
    const client = (flags: string, filter: string): string =>
      learner.run(`openssl s_client -connect ${node}:443 ${flags} < /dev/null 2>&1 | ${filter}`);
    expect(client("-servername https-example.foo.com -CAfile tls.crt", "grep -e ^CONN -e depth -e s: -e return -e DONE")).toBe(
      "CONNECTED(00000003)\ndepth=0 CN = https-example.foo.com\nverify return:1\n 0 s:CN = https-example.foo.com\nVerify return code: 0 (ok)\nDONE\n",
    );
    expect(client("-servername two.foo.com", "openssl x509 -noout -subject")).toBe("subject=CN = two.foo.com\n");
    expect(client("", "grep -e ^subject= -e error: -e code:")).toBe(
      "verify error:num=18:self-signed certificate\nsubject=O = Acme Co, CN = Kubernetes Ingress Controller Fake Certificate\nVerification error: self-signed certificate\nVerify return code: 18 (self-signed certificate)\n",
    );
    expect(learner.run(`openssl s_client -connect ${node}:80 < /dev/null 2>&1 | tail -1`)).toMatch(/:wrong version number:/);
    expect(learner.run(`openssl s_client -connect ${node}:81 < /dev/null 2>&1 | tail -1`)).toBe("connect:errno=111\n");
    expect(ask("https-example.foo.com", "/a/", "-i")).toMatch(
      /^HTTP\/1\.1 308 Permanent Redirect[\s\S]*Location: https:\/\/https-example\.foo\.com\/a\r?\n/,
    );
    const seen = () => world.observable.http("workstation", `https://${node}/hostname`, "two.foo.com");
    seen();
    wait(5);
    expect(seen()).toMatchObject({ code: 200, certificate: "two.foo.com" });

    apply(ingress("tls-example-ingress", spec("elsewhere")));
    expect(secure("https-example.foo.com", "-k")).toMatch(/Fake Certificate/);
    expect(learner.run("kubectl get ingress tls-example-ingress --no-headers")).toMatch(/ 80, 443 /);
  });
});

describe("classes", () => {
  it("[NET-212] [NET-213] [NET-215] [NET-216] each controller has the Ingresses of its class, and nobody those without", () => {
    const { apply, wait, learner, ingress: read, address, log } = ingressWorld({}, { addons: [] });
    apply(controllerManifest({ name: "external", flags: ["--publish-service=external/external"] }));
    apply(controllerManifest({ name: "internal", flags: ["--publish-service=internal/internal"] }));
    apply(backend("test", 80));
    wait(90);
    const classless = (name: string): string => everything.replace("test-ingress", name).replace("  ingressClassName: nginx\n", "");
    apply(classless("old"));
    wait(70);
    expect([read("old").spec?.ingressClassName, address("old")]).toEqual([undefined, ""]);
    expect(learner.run("kubectl get events --no-headers")).not.toMatch(/ingress\/old/);
    expect(log("external")).toContain(
      '"Ignoring ingress because of error while validating ingress class" ingress="default/old" error="ingress does not contain a valid IngressClass"',
    );

    learner.run("kubectl annotate ingressclass external ingressclass.kubernetes.io/is-default-class=true");
    apply(classless("new"));
    wait(70);
    const clusterIp = (name: string): string =>
      learner.run(`kubectl get service ${name} -n ${name} -o jsonpath='{.spec.clusterIP}'; echo`).trim();
    expect(read("new").spec?.ingressClassName).toBe("external");
    expect(read("old").spec?.ingressClassName).toBeUndefined();
    expect(address("new")).toBe(clusterIp("external"));

    learner.run(`kubectl patch ingress new -p '{"spec":{"ingressClassName":"internal"}}'`);
    wait(70);
    expect(address("new")).toBe(clusterIp("internal"));
    expect(log("external")).toContain('"removing ingress because of unknown ingressclass" ingress="default/new"');
    learner.run("kubectl annotate ingressclass internal ingressclass.kubernetes.io/is-default-class=true");
    apply(classless("newest"));
    expect(read("newest").spec?.ingressClassName).toBe("internal");
  });

  it("without rights nothing is done, and the log says so; a wrong command line ends it", () => {
    const { apply, wait, learner, address, log } = ingressWorld({}, { addons: [] });
    apply(controllerManifest({ name: "poor", mayNotRead: ["ingresses"] }));
    apply(controllerManifest({ name: "mute", mayNotRead: ["ingresses/status"] }));
    apply(controllerManifest({ name: "wrong", flags: ["--ingres-class=x"] }));
    apply(controllerManifest({ name: "lost", flags: ["--publish-service=lost/nobody"] }));
    apply(everything.replace("nginx", "poor"));
    apply(everything.replace("nginx", "mute").replace("test-ingress", "other"));
    wait(90);
    expect([address("test-ingress"), address("other")]).toEqual(["", ""]);
    expect(log("poor")).toMatch(/failed to list \*v1\.Ingress: ingresses\.networking\.k8s\.io is forbidden: User /);
    expect(log("mute")).toMatch(/error updating ingress rule: ingresses\.networking\.k8s\.io \\?"other\\?" is forbidden/);
    expect(learner.run("kubectl get pods -n poor --no-headers")).toMatch(/ 0\/1 +Running /);
    expect(learner.run("kubectl logs -n wrong deploy/wrong")).toContain("unknown flag: --ingres-class");
    expect(learner.run("kubectl logs -n lost deploy/lost")).toMatch(
      /\nF\d{4} .*no service with name nobody found in namespace lost: services "nobody" not found/,
    );
  });

  it("two replicas: one writes, both answer", () => {
    const { apply, wait, learner, address } = ingressWorld({}, { addons: [] });
    apply(
      controllerManifest({ name: "pair" }).replace(
        "spec:\n  selector: {matchLabels",
        "spec:\n  replicas: 2\n  selector: {matchLabels",
      ),
    );
    apply(backend("test", 80));
    apply(everything.replace("nginx", "pair"));
    wait(120);
    expect(learner.run("kubectl get lease -n pair pair-leader -o jsonpath='{.spec.holderIdentity}'; echo")).toMatch(/^pair-/);
    expect(learner.run("kubectl logs -n pair -l app=pair --tail=-1 | grep -c 'updating Ingress status'").trim()).toBe("1");
    expect(address("test-ingress")).toMatch(/^172\.18\.0\./);
  });
});

it("[NET-215] in a cloud Ingresses get the address of the load balancer, and clients keep theirs", () => {
  const { apply, wait, learner, address, world } = ingressWorld({}, { cloud: {} });
  apply(managerManifest());
  apply(backend("test", 80));
  wait(60);
  apply(everything);
  wait(70);
  const balancer = learner
    .run("kubectl get service ingress-controller -n ingress-controller -o jsonpath='{.status.loadBalancer.ingress[0].ip}'; echo")
    .trim();
  expect(balancer).toMatch(/^203\.0\.113\./);
  expect(address("test-ingress")).toBe(balancer);
  expect(learner.run(`curl -s -m 5 http://${balancer}/header?key=X-Real-Ip; echo`).trim()).toBe(world.workstation.address);
});

it("[NET-215] --watch-namespace, classes by name, and Ingresses without a class", () => {
  const { apply, wait, learner, address } = ingressWorld({}, { addons: [] });
  learner.run("kubectl create namespace shop");
  const service = (name: string): string => `--publish-service=${name}/${name}`;
  const narrow = controllerManifest({
    name: "narrow",
    flags: [service("narrow"), "--watch-namespace=shop", "--watch-ingress-without-class"],
  });
  apply(narrow);
  wait(30);
  const classless = everything.replace("  ingressClassName: nginx\n", "");
  apply(classless);
  apply(classless.replace("name: test-ingress", "name: test-ingress, namespace: shop"));
  wait(120);
  expect(address("test-ingress")).toBe("");
  expect(learner.run("kubectl get ingress -n shop --no-headers")).toMatch(/^test-ingress +<none> +\* +10\.\d+\.\d+\.\d+ /);
});
