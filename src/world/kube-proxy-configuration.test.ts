// What a kube-proxy makes of its ConfigMap, once it is started again.

import { beforeAll, describe, expect, it } from "vitest";
import { sitDown, type TypingLearner } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

let world: World;
let learner: TypingLearner;

beforeAll(() => {
  world = new World({ startMs: Date.UTC(2026, 0, 15, 9), seed: 3, nodes: 1, files: {} });
  world.boot();
  learner = sitDown(world, { columns: 600, rows: 40 });
  learner.run("kubectl create deployment web --image=nginx:1.27 && kubectl rollout status deployment/web");
  learner.run("kubectl create service nodeport web --tcp=80 --node-port=30007");
  world.simulation.advance(2000);
});

const answers = (): string =>
  learner.run(
    "for a in 127.0.0.1 172.18.0.3; do ssh node-1 curl -s -o /dev/null -w '%{http_code}' http://$a:30007; echo; done | paste -sd' '",
  );
const log = (): string => learner.run(`kubectl logs -n kube-system ${pod()} | cut -c1-400`);
const pod = (): string => "$(kubectl get pods -n kube-system -l k8s-app=kube-proxy -o name --field-selector spec.nodeName=node-1)";

/** Puts lines in front of the file that kubeadm wrote. */
function configure(lines: string): void {
  const own = 'split("\\n") | map(select(test("^(nodePort|iptables|mode)") | not)) | join("\\n")';
  learner.run(
    `kubectl get configmap kube-proxy -n kube-system -o json | jq '.data["config.conf"] |= "${lines}\\n" + (${own})' > cm.json`,
  );
  learner.run("kubectl replace -f cm.json");
}

function restart(): void {
  learner.run(`kubectl delete -n kube-system ${pod()}`);
  world.simulation.advance(20_000);
}

describe("kube-proxy's configuration", () => {
  it("[NET-099] is complained about while nodePortAddresses is unset", () => {
    expect(answers()).toBe("200 200\n");
    expect(log()).toMatch(
      /E0115 \S+ +1 server\.go:256\] "Kube-proxy configuration may be incomplete or incorrect" err="nodePortAddresses is unset; NodePort connections will be accepted on all local IPs\. Consider using `--nodeport-addresses primary`"\n/u,
    );
    expect(log()).toContain('proxier.go:242] "Setting route_localnet=1 to allow node-ports on localhost; ');
  });

  it("[NET-112] has no effect until the Pods are started again", () => {
    configure("nodePortAddresses: [primary]");
    world.simulation.advance(120_000);
    expect(answers()).toBe("200 200\n");
    restart();
    expect(answers()).toBe("000 200\n");
    expect(log()).not.toMatch(/incomplete|route_localnet/u);
    expect(learner.run("ssh node-1 curl -s http://127.0.0.1:10249/configz | jq -c '.[].nodePortAddresses'")).toBe(
      '["172.18.0.3/32"]\n',
    );
    expect(learner.run("ssh node-1 iptables-save -t nat | grep 'must be the last' | cut -d' ' -f2-4")).toBe(
      "KUBE-SERVICES -d 172.18.0.3/32\n",
    );
  });

  it("may close node ports on localhost alone", () => {
    configure("iptables: {localhostNodePorts: false}");
    restart();
    expect(answers()).toBe("000 200\n");
  });

  it.each([
    [
      "nodePortAddresses: [172.18.0.3, primary]",
      String.raw`failed validate: [KubeProxyConfiguration.NodePortAddresses[0]: Invalid value: \"172.18.0.3\": must be a valid CIDR, KubeProxyConfiguration.NodePortAddresses[1]: Invalid value: \"primary\": can't use both 'primary' and CIDRs]`,
    ],
    [
      "nodePortAddresses: primary",
      "failed complete: json: cannot unmarshal string into Go struct field KubeProxyConfiguration.nodePortAddresses of type []string",
    ],
    ["iptables: {masqueradeAll: true}", "/var/lib/kube-proxy/config.conf: iptables.masqueradeAll: not simulated"],
    ["mode: nftables", "/var/lib/kube-proxy/config.conf: mode: not simulated"],
  ])("ends it with %s, and the rules stay", (lines, words) => {
    configure(lines);
    restart();
    expect(log()).toContain(`run.go:72] "command failed" err="${words}"`);
    expect(answers()).toBe("000 200\n");
  });

  it("may hold a field that there is not", () => {
    configure("nodePortAdresses: [primary]");
    restart();
    expect(log()).toContain(
      String.raw`"Using lenient decoding as strict decoding failed" err="strict decoding error: unknown field \"nodePortAdresses\""`,
    );
    expect(answers()).toBe("200 200\n");
  });
});
