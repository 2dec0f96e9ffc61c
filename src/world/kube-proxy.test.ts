// kube-proxy as its Pod: what its ConfigMap says counts from its next start on, and what is wrong with that ends it.

import { beforeAll, describe, expect, it } from "vitest";
import { sitDown, type TypingLearner } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

const names = "kubectl get pods -n kube-system -l k8s-app=kube-proxy";

function sitting(nodes = 1) {
  const world = new World({ startMs: 1_768_467_600_000, seed: 1, nodes, files: {} });
  world.boot();
  const learner: TypingLearner = sitDown(world, { columns: 2000, rows: 80 });
  const { run } = learner;
  const wait = (seconds = 30): void => world.simulation.advance(seconds * 1000);
  /** Changes the configuration by a script of sed's. */
  const edit = (script: string): void => {
    run(`kubectl get configmap -n kube-system kube-proxy -o yaml | sed '${script}' | kubectl replace -f -`);
  };
  const restart = (): void => {
    run("kubectl rollout restart -n kube-system ds/kube-proxy");
    wait();
  };
  /** Of the newest Pod. */
  const log = (more = ""): readonly string[] =>
    run(`kubectl logs -n kube-system $(${names} -o name --sort-by=.metadata.creationTimestamp | tail -1) ${more}`)
      .trimEnd()
      .split("\n");
  const messages = (): readonly string[] => log().map((line) => line.replace(/^([A-Z])\d{4} \S+ +\d+ /u, "$1 "));
  const mode = (): string => run("ssh control-plane curl -s localhost:10249/proxyMode; echo").trim();
  return { world, wait, edit, restart, log, messages, mode, ...learner };
}

describe("the DaemonSet kube-proxy", () => {
  let learner: ReturnType<typeof sitting>;

  beforeAll(() => {
    learner = sitting();
  });

  it("[NET-095] is on every node: on the host's network, privileged, whatever taints there are, with its ConfigMap", () => {
    const get = (path: string) => learner.run(`kubectl get ds -n kube-system kube-proxy -o jsonpath='{${path}}'; echo`).trim();
    expect(get(".status.numberReady")).toBe("2");
    const pod = ".spec.template.spec";
    expect(get(`${pod}.hostNetwork} {${pod}.priorityClassName} {${pod}.tolerations`)).toBe(
      'true system-node-critical [{"operator":"Exists"}]',
    );
    expect(get(`${pod}.containers[0].securityContext`)).toBe('{"privileged":true}');
    expect(get(`${pod}.volumes[*].configMap.name`)).toBe("kube-proxy");
    expect(learner.run("kubectl get cm -n kube-system kube-proxy -o jsonpath='{.data.config\\.conf}' | grep -c ''").trim()).toBe(
      "67",
    );
  });

  it("[NET-098] [NET-099] says in its log which mode it takes, and that node ports are open everywhere", () => {
    const lines = learner.messages().map((line) => line.replace(/18\.0\.\d/u, "18.0.X"));
    const route =
      "Setting route_localnet=1 to allow node-ports on localhost; to change this either disable iptables.localhostNodePorts (--iptables-localhost-nodeports) or set nodePortAddresses (--nodeport-addresses) to filter loopback addresses";
    expect(lines.slice(0, 11)).toEqual([
      'I server_linux.go:53] "Using iptables proxy"',
      'I shared_informer.go:402] "Waiting for caches to sync"',
      'I shared_informer.go:409] "Caches are synced"',
      'I server.go:228] "Successfully retrieved NodeIPs" NodeIPs=["172.18.0.X"]',
      'E server.go:265] "Kube-proxy configuration may be incomplete or incorrect" err="nodePortAddresses is unset; NodePort connections will be accepted on all local IPs. Consider using `--nodeport-addresses primary`"',
      'I server_linux.go:119] "No kernel support for family" ipFamily="IPv6"',
      'I server.go:276] "kube-proxy running in single-stack mode" ipFamily="IPv4"',
      'I server_linux.go:137] "Using iptables Proxier"',
      `I proxier.go:242] "${route}" ipFamily="IPv4"`,
      'I server.go:539] "Version info" version="v1.36.0"',
      'I server.go:541] "Golang settings" GOGC="" GOMAXPROCS="" GOTRACEBACK=""',
    ]);
    expect(lines.at(-1)).toBe('I shared_informer.go:388] "Caches are synced" controller="node config"');
  });
});

describe("its configuration", () => {
  it("[NET-111] [NET-112] counts from the next start on; a mode that there is not ends it, and the node's rules go on", () => {
    const { edit, restart, wait, log, mode, run } = sitting();
    edit('s/mode: ""/mode: userspace/');
    wait(120);
    expect(mode()).toBe("iptables");
    restart();
    expect(run(names)).toMatch(/ (Error|CrashLoopBackOff) /u);
    const words = 'must be iptables, ipvs, nftables or blank (blank means the best-available proxy [currently iptables])"';
    expect(log().join("\n")).toMatch(
      /^E0115 \S+ +1 run\.go:72\] "command failed" err="failed validate: KubeProxyConfiguration\.Mode\.ProxyMode: Invalid value: \\"userspace\\": /u,
    );
    expect(log()[0]).toContain(words);
    expect(mode()).toBe("");
    expect(run("ssh control-plane iptables-save -t nat | grep -c -- '-j KUBE-SVC'").trim()).toBe("4");
    edit('s/mode: userspace/mode: ""/');
    wait(420);
    expect(run(names)).toMatch(/ Running /u);
    expect(mode()).toBe("iptables");
  });

  it("tells of fields that it does not know and of those that do nothing, and refuses values of wrong types", () => {
    const { edit, restart, messages } = sitting();
    edit("s/bindAddressHardFail: false/bindAddressHardFail: true\\n    sleepy: true/");
    restart();
    expect(messages().slice(0, 2)).toEqual([
      'I options.go:410] "Using lenient decoding as strict decoding failed" err="strict decoding error: unknown field \\"sleepy\\""',
      "W flags.go:64] bindAddressHardFail: not simulated, has no effect",
    ]);
    edit("s/masqueradeBit: null/masqueradeBit: many/");
    restart();
    expect(messages()).toContain(
      'E run.go:72] "command failed" err="failed complete: failed to decode: json: cannot unmarshal string into Go struct field KubeProxyIPTablesConfiguration.iptables.masqueradeBit of type int32"',
    );
    edit("s/masqueradeBit: many/masqueradeBit: null/; s/kind: KubeProxyConfiguration/kind: Proxy/");
    restart();
    expect(messages().join("\n")).toContain(
      'failed to decode: no kind \\"Proxy\\" is registered for version \\"kubeproxy.config.k8s.io/v1alpha1\\" in scheme',
    );
  });

  it("[NET-130] [NET-097] keeps node ports to the addresses that it names, and shows itself at /configz", () => {
    const { edit, restart, messages, run } = sitting();
    run("kubectl create deployment web --image=nginx:1.27; kubectl expose deployment web --port=80 --type=NodePort");
    run("kubectl wait --for=condition=Available deployment/web");
    edit("s/nodePortAddresses: null/nodePortAddresses: [primary]/; s/clusterCIDR: .*/clusterCIDR: 10.0.0.0\\/8/");
    restart();
    expect(messages().join("\n")).not.toMatch(/not simulated|nodePortAddresses is unset/u);
    expect(run("ssh control-plane iptables-save -t nat | grep NODEPORTS$")).toBe(
      '-A KUBE-SERVICES -d 172.18.0.2/32 -m comment --comment "kubernetes service nodeports; NOTE: this must be the last rule in this chain" -j KUBE-NODEPORTS\n',
    );
    const port = "$(kubectl get svc web -o jsonpath='{.spec.ports[0].nodePort}')";
    expect(run(`curl -s -o /dev/null -w '%{http_code}\\n' http://172.18.0.2:${port}`)).toBe("200\n");
    expect(run(`ssh control-plane "curl -s -m 2 http://127.0.0.1:${port}; echo \\$?"`)).toBe("7\n");
    expect(run("ssh control-plane iptables-save -t nat | grep -c '! -s 10.0.0.0/8'").trim()).toBe("5");
    const shown = JSON.parse(run("ssh control-plane curl -s localhost:10249/configz; echo")) as object;
    expect(shown).toMatchObject({
      "kubeproxy.config.k8s.io": { clusterCIDR: "10.0.0.0/8", nodePortAddresses: ["primary"], mode: "iptables" },
    });
  });

  it("[NET-154] [NET-155] changes the mode to nftables, which nft shows and curl uses, and back", () => {
    const { edit, restart, messages, mode, run, wait } = sitting();
    run("kubectl create deployment web --image=nginx:1.27; kubectl expose deployment web --port=80 --type=NodePort");
    run("kubectl wait --for=condition=Available deployment/web");
    edit('s/mode: ""/mode: nftables/');
    restart();
    expect(mode()).toBe("nftables");
    expect(messages().join("\n")).toMatch(/I server_linux\.go:254\] "Using nftables Proxier"/u);
    expect(messages().join("\n")).not.toMatch(/not simulated|nodePortAddresses is unset|route_localnet/u);
    expect(run("ssh control-plane iptables-save | grep -c 'KUBE-S\\|KUBE-PROXY'").trim()).toBe("0");
    expect(run("ssh control-plane nft list tables")).toBe("table ip mangle\ntable ip filter\ntable ip nat\ntable ip kube-proxy\n");
    const lines = run("ssh control-plane nft list map ip kube-proxy service-ips").replaceAll("\t", "").split("\n");
    expect([...lines.slice(0, 2), ...lines.slice(3, 6)]).toEqual([
      "table ip kube-proxy {",
      "map service-ips {",
      'comment "ClusterIP, ExternalIP and LoadBalancer IP traffic"',
      "elements = { 10.96.0.10 . tcp . 53 : goto service-NWBZK7IH-kube-system/kube-dns/tcp/dns-tcp,",
      "     10.96.0.10 . udp . 53 : goto service-FY5PMXPG-kube-system/kube-dns/udp/dns,",
    ]);
    const chain = run("ssh control-plane nft list chain ip kube-proxy service-2QRHZV4L-default/kubernetes/tcp/https");
    expect(chain).toContain("meta l4proto tcp dnat ip to numgen random mod 1 map { 0 : 172.18.0.2 . 6443 }\n");
    expect(run("ssh control-plane nft list ruleset | grep -c '^table'").trim()).toBe("4");
    expect(run("ssh control-plane nft list chains | head -3").replaceAll("\t", "")).toBe(
      "table ip kube-proxy {\nchain filter-prerouting-pre-dnat {\ntype filter hook prerouting priority dstnat - 10; policy accept;\n",
    );
    expect(run("ssh control-plane nft list table ip nosuch")).toBe(
      `Error: No such file or directory\nlist table ip nosuch\n${" ".repeat(14)}^^^^^^\n`,
    );
    expect(run("ssh control-plane nft add table ip mine")).toBe("nft: add is not supported here; list and delete table are\n");
    const port = "$(kubectl get svc web -o jsonpath='{.spec.ports[0].nodePort}')";
    expect(run(`curl -s -o /dev/null -w '%{http_code}\\n' http://172.18.0.2:${port}`)).toBe("200\n");
    expect(run(`ssh control-plane "curl -s -m 2 http://127.0.0.1:${port}; echo \\$?"`)).toBe("7\n");
    expect(run("ssh control-plane curl -s localhost:10249/metrics | grep -c iptables").trim()).toBe("0");
    run("ssh control-plane nft delete table ip kube-proxy");
    expect(run(`curl -s -m 2 http://172.18.0.2:${port}; echo $?`)).toBe("7\n");
    edit('s/mode: nftables/mode: ""/');
    restart();
    wait(10);
    expect(mode()).toBe("iptables");
    expect(run("ssh control-plane nft list tables | grep -c kube-proxy").trim()).toBe("0");
    expect(run(`curl -s -o /dev/null -w '%{http_code}\\n' http://172.18.0.2:${port}`)).toBe("200\n");
  });

  it("[NET-110] ends kube-proxy in mode ipvs where the kernel has none", () => {
    const { edit, restart, messages } = sitting();
    edit('s/mode: ""/mode: ipvs/');
    restart();
    const err = `err="can't use the IPVS proxier: ipvs not supported by the kernel"`;
    expect(messages()).toEqual([`E server.go:136] "Error running ProxyServer" ${err}`, `E run.go:72] "command failed" ${err}`]);
  });
});

describe("a node without its Pod", () => {
  it("[NET-107] keeps the rules that it had, and learns nothing new until the Pod is back", () => {
    const { run, wait } = sitting(2);
    run("kubectl create deployment web --image=nginx:1.27 --replicas=3; kubectl expose deployment web --port=80");
    run("kubectl wait --for=condition=Available deployment/web");
    wait(5);
    const known = (): readonly string[] =>
      ["node-1", "control-plane"].map((node) => run(`ssh ${node} iptables-save -t nat | grep -c 'default/web -> '`).trim());
    expect(known()).toEqual(["3", "3"]);
    run("kubectl label node control-plane proxied=yes");
    const selector = (value: string) =>
      `kubectl patch ds -n kube-system kube-proxy -p '{"spec":{"template":{"spec":{"nodeSelector":{"proxied":${value}}}}}}'`;
    run(selector('"yes"'));
    wait();
    run("kubectl scale deployment web --replicas=5; kubectl rollout status deployment web");
    wait(5);
    expect(known()).toEqual(["3", "5"]);
    const ip = run("kubectl get svc web -o jsonpath='{.spec.clusterIP}'; echo").trim();
    expect(run(`ssh node-1 curl -s -m 5 http://${ip} | grep -c '<title>'`)).toBe("1\n");
    run(selector("null"));
    wait();
    expect(known()).toEqual(["5", "5"]);
  });
});
