// A node's kubelet that is started again by what lies in its files: configuration, flags, credential providers.

import { describe, expect, it } from "vitest";
import { sitDown } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

const host = "registry.lab.example:5000";
const image = `${host}/team-a/app:v1`;
const config = "/var/lib/kubelet/config.yaml";

function start() {
  const world = new World({
    startMs: Date.UTC(2026, 0, 15, 9),
    seed: 7,
    nodes: 1,
    files: {},
    registries: [
      {
        host,
        accounts: [{ username: "lab", password: "lab-pass" }],
        images: { "team-a/app:v1": { from: "busybox:1.36" }, "team-a/app:v2": { from: "busybox:1.37" } },
      },
    ],
  });
  world.boot();
  const learner = sitDown(world);
  const node = (command: string): string => learner.run(`ssh node-1 ${command}`);
  const { files } = world.cluster.nodes[1]?.machine ?? { files: undefined };
  if (files === undefined) throw new Error("there is a worker");
  const wait = (seconds: number) => world.simulation.advance(seconds * 1000);
  /** The last error of the kubelet, as the journal has it. */
  const failure = (place = ""): string => {
    const lines = node("journalctl -u kubelet --no-pager -n 200").split("\n");
    const isOne = (line: string): boolean => line.includes(" E0115 ") && line.includes(place);
    const [, text = ""] = / E0115 \S+ +\d+ (.*)$/u.exec(lines.findLast(isOne) ?? "") ?? [];
    return text;
  };
  const restart = (): void => {
    node("systemctl restart kubelet");
    wait(1);
  };
  return { world, learner, node, files, wait, failure, restart };
}

describe("a kubelet that starts again", () => {
  it("lets Pods set the kernel parameters that its configuration or its flag allows, if a namespace keeps them apart", () => {
    const { files, failure, restart, learner, wait, node } = start();
    const overrides = (value: string) =>
      JSON.stringify({ spec: { nodeName: "node-1", securityContext: { sysctls: [{ name: "net.core.somaxconn", value }] } } });
    const run = (name: string, value: string): string => {
      learner.run(
        `kubectl run ${name} --image=busybox:1.36 --restart=Never --overrides='${overrides(value)}' -- sysctl -n net.core.somaxconn`,
      );
      wait(20);
      return learner.run(`kubectl logs ${name}`);
    };
    run("forbidden", "100");
    expect(learner.run("kubectl get pod forbidden -o yaml")).toContain("reason: SysctlForbidden");
    const before = files.readText(config);
    files.writeFile(config, `${before}allowedUnsafeSysctls: [net.core.*]\n`);
    restart();
    expect(run("configured", "100")).toBe("100\n");
    files.writeFile(config, `${before}allowedUnsafeSysctls: [vm.swappiness]\n`);
    restart();
    expect(failure()).toContain('the sysctl \\"vm.swappiness\\" are not known to be namespaced');
    files.writeFile(config, before);
    files.writeFile("/etc/default/kubelet", "KUBELET_EXTRA_ARGS=--allowed-unsafe-sysctls=kernel.msg*,net.core.somaxconn\n");
    restart();
    expect(run("flagged", "200")).toBe("200\n");
    expect(node("journalctl -u kubelet --no-pager -n 400")).toContain("Flag --allowed-unsafe-sysctls has been deprecated,");
  });

  it("[NET-166] gives Pods the node's DNS when its configuration names no server of the cluster's", () => {
    const { files, restart, learner, wait } = start();
    files.writeFile(config, files.readText(config).replace(/clusterDNS:\n- .*\n/u, ""));
    restart();
    learner.run("kubectl run p --image=busybox:1.36 --restart=Never -- cat /etc/resolv.conf");
    wait(20);
    expect(learner.run("kubectl logs p")).toBe(files.readText("/etc/resolv.conf"));
    expect(learner.run("kubectl get events -A -o custom-columns=:.involvedObject.kind,:.reason --no-headers | sort -u")).toMatch(
      /^Node +MissingClusterDNS\n(?:Node .*\n)*(?:Pod .*\n)*?Pod +MissingClusterDNS\n/mu,
    );
  });

  it("[POD-034] ends by what its configuration says of pulls, is started again and again, and runs once that is repaired", () => {
    const { node, files, wait, failure, restart, learner } = start();
    const before = files.readText(config);
    files.writeFile(config, `${before}serializeImagePulls: true\nmaxParallelImagePulls: 2\n`);
    restart();
    expect(failure()).toBe(
      'run.go:72] "command failed" err="failed to validate kubelet configuration, error: invalid configuration: maxParallelImagePulls cannot be larger than 1 unless SerializeImagePulls (--serialize-image-pulls) is set to false, path: &TypeMeta{Kind:,APIVersion:,}"',
    );
    expect(node("systemctl is-active kubelet; echo $?")).toBe("activating\n3\n");
    expect(node("systemctl status kubelet")).toContain(
      "     Active: activating (auto-restart) (Result: exit-code) since Thu 2026-01-15 09:",
    );
    wait(25);
    const said = node("journalctl -u kubelet --no-pager -n 40");
    expect(said).toContain("systemd[1]: kubelet.service: Main process exited, code=exited, status=1/FAILURE");
    expect(said).toContain("systemd[1]: kubelet.service: Failed with result 'exit-code'.");
    expect(said).toContain("systemd[1]: kubelet.service: Scheduled restart job, restart counter is at 2.");
    wait(60);
    expect(learner.run("kubectl get node node-1 --no-headers | awk '{print $2}'")).toBe("NotReady\n");
    node(`"sed -i 's/serializeImagePulls: true/serializeImagePulls: false/' ${config}"`);
    wait(30);
    expect(node("systemctl is-active kubelet")).toBe("active\n");
    expect(learner.run("kubectl get node node-1 --no-headers | awk '{print $2}'")).toBe("Ready\n");
  });

  it.each([
    [
      "[POD-034] none at once",
      "maxParallelImagePulls: 0\n",
      "invalid configuration: maxParallelImagePulls 0 must be a positive number",
    ],
    [
      "[POD-213] a wait that is too short",
      "0.5s",
      "invalid configuration: CrashLoopBackOff.MaxContainerRestartPeriod (got: 0.5 seconds) must be set between 1s and 300s",
    ],
    [
      "several mistakes",
      "registryPullQPS: -1\nregistryBurst: -2\n",
      "[invalid configuration: registryBurst (--registry-burst) -2 must not be a negative number, invalid configuration: registryPullQPS (--registry-qps) -1 must not be a negative number]",
    ],
    [
      "[POD-063] a policy that does not exist",
      "imagePullCredentialsVerificationPolicy: Never\n",
      "invalid configuration: unknown image pull credential verification policy: Never",
    ],
    [
      "[POD-063] a list for another policy",
      "preloadedImagesVerificationAllowlist: [docker.io/*]\n",
      'invalid configuration: can\'t set `preloadedImagesVerificationAllowlist` if `imagePullCredentialsVertificationPolicy` is not \\"NeverVerifyAllowlistedImages\\"',
    ],
  ])("%s", (_title, added, problem) => {
    const { files, failure, restart } = start();
    const before = files.readText(config);
    const isPeriod = added === "0.5s";
    files.writeFile(
      config,
      isPeriod ? before.replace("crashLoopBackOff: {}", `crashLoopBackOff: {maxContainerRestartPeriod: ${added}}`) : before + added,
    );
    restart();
    expect(failure()).toBe(
      `run.go:72] "command failed" err="failed to validate kubelet configuration, error: ${problem}, path: &TypeMeta{Kind:,APIVersion:,}"`,
    );
  });

  it("does not start where not even two files of a log may be kept", () => {
    const { files, failure, restart } = start();
    files.writeFile(config, `${files.readText(config)}containerLogMaxFiles: 1\n`);
    restart();
    expect(failure()).toBe(
      'run.go:72] "command failed" err="failed to run Kubelet: failed to create kubelet: failed to initialize container log manager: invalid MaxFiles 1, must be > 1"',
    );
  });

  it.each([
    ["20m", "invalid max log size"],
    ["20MB", "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"],
  ])("does not start where %s is to be a log's size", (size, why) => {
    const { files, failure, restart } = start();
    files.writeFile(config, `${files.readText(config)}containerLogMaxSize: ${size}\n`);
    restart();
    expect(failure()).toBe(
      `run.go:72] "command failed" err="failed to run Kubelet: failed to create kubelet: failed to initialize container log manager: failed to parse container log max size \\"${size}\\": ${why}"`,
    );
  });

  it("[POD-536] does not start without its file, with one that is no YAML, or with what does nothing here", () => {
    const { files, failure, restart, node } = start();
    const before = files.readText(config);
    const load = `failed to load kubelet config file, path: ${config}, error: failed to load Kubelet config file ${config}, error`;
    const failed = (text: string): string => {
      files.writeFile(config, text);
      restart();
      return failure();
    };
    expect(failed(before.replace("maxPods", "x").replace("clusterDomain:", "clusterDomain: ["))).toContain(
      `${load} failed to decode: yaml: line `,
    );
    expect(failed(`${before}maxPods: many\n`)).toBe(
      `run.go:72] "command failed" err="${load} failed to decode: json: cannot unmarshal string into Go struct field KubeletConfiguration.maxPods of type int32"`,
    );
    expect(failed(`${before}systemReserved: {cpu: 1}\n`)).toBe(
      `run.go:72] "command failed" err="${load} failed to decode: json: cannot unmarshal number into Go struct field KubeletConfiguration.systemReserved of type string"`,
    );
    expect(failed(`${before}cpuManagerPolicy: static\n`)).toBe(
      `run.go:72] "command failed" err="${config}: cpuManagerPolicy: not simulated"`,
    );
    const logging =
      'logging:\n  verbosity: 0\n  flushFrequency: 0\n  options: {text: {infoBufferSize: "0"}, json: {infoBufferSize: "0"}}\n';
    files.writeFile(config, before.replace(/logging:\n(?: .*\n)+/u, logging));
    restart();
    expect(node("systemctl is-active kubelet")).toBe("active\n");
    files.unlink(config);
    restart();
    expect(failure()).toBe(
      `run.go:72] "command failed" err="${load} failed to read kubelet config file \\"${config}\\", error: open ${config}: no such file or directory"`,
    );
    files.writeFile(config, `${before}maxPodz: 5\n`);
    restart();
    expect(node("journalctl -u kubelet --no-pager -n 40")).toContain(
      'codec.go:98] "Using lenient decoding as strict decoding failed" err="strict decoding error: unknown field \\"maxPodz\\""',
    );
    expect(node("systemctl is-active kubelet")).toBe("active\n");
  });

  it("[POD-548] is the last to be killed for want of memory, by a score that must be in its range", () => {
    const { files, failure, restart, learner } = start();
    const score = learner.run("kubectl get --raw /api/v1/nodes/node-1/proxy/configz | grep -o '.oomScoreAdj.:[-0-9]*'");
    expect(score).toBe('"oomScoreAdj":-999\n');
    const before = files.readText(config);
    const failed = (value: number): string => {
      files.writeFile(config, `${before}oomScoreAdj: ${value}\n`);
      restart();
      return failure();
    };
    for (const value of [-1001, 1001])
      expect(failed(value)).toBe(
        `run.go:72] "command failed" err="failed to validate kubelet configuration, error: invalid configuration: oomScoreAdj (--oom-score-adj) ${value} must be between -1000 and 1000, inclusive, path: &TypeMeta{Kind:,APIVersion:,}"`,
      );
    expect(failed(-1000)).toBe(`run.go:72] "command failed" err="${config}: oomScoreAdj: not simulated"`);
  });

  it.each([
    ["SidecarContainers: false", "cannot set feature gate SidecarContainers to false, feature is locked to true"],
    ["SidecarContainer: true", "unrecognized feature gate: SidecarContainer"],
  ])("[POD-340] takes no gate that is locked or unknown: %s", (gate, fault) => {
    const { files, failure, restart } = start();
    files.writeFile(config, `${files.readText(config)}featureGates: {${gate}}\n`);
    restart();
    expect(failure()).toBe(
      `run.go:72] "command failed" err="failed to set feature gates from initial flags-based config: ${fault}"`,
    );
  });

  it("[POD-587] takes the flags for dead containers, says that they will go, and refuses what is no number", () => {
    const { files, node, restart, failure } = start();
    const flag = (text: string): void => {
      files.writeFile("/etc/default/kubelet", `KUBELET_EXTRA_ARGS="--v=3 ${text}"\n`);
      restart();
    };
    flag("--maximum-dead-containers-per-container=2 --minimum-container-ttl-duration=1m --maximum-dead-containers=100");
    expect(node("systemctl is-active kubelet")).toBe("active\n");
    expect(node("journalctl -u kubelet --no-pager -n 40")).toContain(
      ": Flag --maximum-dead-containers-per-container has been deprecated, Use --eviction-hard or --eviction-soft instead.",
    );
    flag("--maximum-dead-containers=many");
    expect(failure()).toContain(
      'failed to parse kubelet flag: invalid argument \\"many\\" for \\"--maximum-dead-containers\\" flag: strconv.ParseInt: parsing \\"many\\": invalid syntax',
    );
  });

  it("[NET-160] makes Pods' resolvers as its file says", () => {
    const { files, restart, learner, wait } = start();
    const domain = files.readText(config).replace("clusterDomain: cluster.local", "clusterDomain: k8s.corp");
    files.writeFile(config, `${domain}resolvConf: /etc/other.conf\n`);
    files.writeFile("/etc/other.conf", "search corp.example\nnameserver 10.0.0.2\n");
    restart();
    const onNode = JSON.stringify({ spec: { nodeName: "node-1" } });
    learner.run(`kubectl run p --image=busybox:1.36 --restart=Never --overrides='${onNode}' -- cat /etc/resolv.conf`);
    wait(20);
    const search = "search default.svc.k8s.corp svc.k8s.corp k8s.corp corp.example";
    expect(learner.run("kubectl logs p")).toBe(`${search}\nnameserver 10.96.0.10\noptions ndots:5\n`);
  });

  it("[POD-033] goes by its file: more Pods, more pulls at once", () => {
    const { files, restart, learner, wait } = start();
    files.writeFile(config, `${files.readText(config)}maxPods: 17\nserializeImagePulls: false\nmaxParallelImagePulls: 2\n`);
    restart();
    wait(15);
    expect(learner.run("kubectl get node node-1 -o jsonpath='{.status.capacity.pods}'; echo")).toBe("17\n");
    for (const tag of ["1.27", "1.28", "1.29"])
      learner.run(`kubectl run p${tag.slice(2)} --image=nginx:${tag} --overrides='{"spec":{"nodeName":"node-1"}}'`);
    wait(30);
    const waits = learner
      .run("kubectl get events --field-selector reason=Pulled -o jsonpath='{range .items[*]}{.message}{\"\\n\"}{end}' | grep nginx")
      .trim()
      .split("\n")
      .map((line) => {
        const [, own, all] = /in ([\d.]+)s \(([\d.]+)s including waiting\)/u.exec(line) ?? [];
        return Number(all) - Number(own) > 0.5;
      });
    expect(waits.toSorted()).toEqual([false, false, true]);
  });

  it("[API-201] [API-202] [API-212] registers its Node anew with the labels and taints of its flags or its configuration", () => {
    const { files, node, restart, learner, wait } = start();
    const flags = "--node-labels=disk=ssd,example.com/line= --register-with-taints=track=night:NoSchedule,fresh:NoExecute";
    files.writeFile("/etc/default/kubelet", `KUBELET_EXTRA_ARGS="--v=3 ${flags}"\n`);
    const get = (path: string): string => learner.run(`kubectl get node node-1 -o jsonpath='{${path}}{"\\n"}'`).trim();
    const before = get(".metadata.uid");
    const uid = () => get(".metadata.uid");
    restart();
    wait(10);
    expect(node("journalctl -u kubelet --no-pager -n 60")).toContain(
      "Flag --register-with-taints has been deprecated, This parameter should be set via the config file",
    );
    expect([uid(), get(".metadata.labels.disk"), get(".spec.taints")]).toEqual([before, "", ""]);
    learner.run("kubectl delete node node-1");
    restart();
    wait(10);
    expect(uid()).not.toBe(before);
    expect([get(".metadata.labels.disk"), get(".metadata.labels.topology\\.kubernetes\\.io/zone")]).toEqual(["ssd", "zone-a"]);
    expect(get(".spec.taints")).toBe(
      '[{"effect":"NoSchedule","key":"track","value":"night"},{"effect":"NoExecute","key":"fresh"}]',
    );
    files.writeFile("/etc/default/kubelet", "KUBELET_EXTRA_ARGS=--v=3\n");
    files.writeFile(config, `${files.readText(config)}registerWithTaints:\n- {key: depot, effect: NoSchedule}\n`);
    learner.run("kubectl delete node node-1");
    restart();
    wait(10);
    expect([get(".metadata.labels.disk"), get(".spec.taints")]).toEqual(["", '[{"effect":"NoSchedule","key":"depot"}]']);
    expect(
      learner.run("kubectl get --raw /api/v1/nodes/node-1/proxy/configz | grep -o 'registerWithTaints.*registerNode.:true'"),
    ).toBe('registerWithTaints":[{"key":"depot","effect":"NoSchedule"}],"registerNode":true\n');
  });

  it.each([
    ["--register-node=false", ""],
    ["", "registerNode: false\n"],
  ])("[API-205] makes no Node with %s%s, and takes up one that a person makes", (flag, field) => {
    const { files, node, restart, learner, wait } = start();
    files.writeFile("/etc/default/kubelet", `KUBELET_EXTRA_ARGS="--v=3 --node-labels=disk=ssd ${flag}"\n`);
    files.writeFile(config, files.readText(config) + field);
    learner.run("kubectl delete node node-1");
    restart();
    wait(130);
    expect(learner.run("kubectl get nodes --no-headers | awk '{print $1}'")).toBe("control-plane\n");
    expect(node("journalctl -u kubelet --no-pager -n 3")).toContain(
      'err="error getting node \\"node-1\\": nodes \\"node-1\\" not found"',
    );
    learner.run(`echo '{"apiVersion":"v1","kind":"Node","metadata":{"name":"node-1"}}' | kubectl create -f -`);
    wait(15);
    expect(learner.run("kubectl get nodes --no-headers | awk '{print $1, $2}'")).toBe("control-plane Ready\nnode-1 Ready\n");
    expect(learner.run("kubectl get node node-1 -o jsonpath='{.metadata.labels.disk}'; echo")).toBe("\n");
  });

  it("refuses labels that it may not give itself, and words that are no labels, no taints and no yes or no", () => {
    const { files, failure, restart } = start();
    const failed = (flag: string): string => {
      files.writeFile("/etc/default/kubelet", `KUBELET_EXTRA_ARGS="--v=3 ${flag}"\n`);
      restart();
      return failure();
    };
    expect(failed("--node-labels=node-role.kubernetes.io/edge=,disk=ssd")).toContain(
      "failed to validate kubelet flags: unknown 'kubernetes.io' or 'k8s.io' labels specified with --node-labels: [node-role.kubernetes.io/edge]\\n",
    );
    expect(failed("--node-labels=disk=s/d")).toContain(
      "failed to validate kubelet flags: invalid node labels: 's/d' - a valid label",
    );
    expect(failed("--register-with-taints=track:Never")).toContain(
      'invalid argument \\"track:Never\\" for \\"--register-with-taints\\" flag: invalid taint effect: Never, unsupported taint effect"',
    );
    expect(failed("--register-node=no")).toContain('strconv.ParseBool: parsing \\"no\\": invalid syntax"');
  });

  it("[POD-537] [POD-613] [POD-635] knows no flags that were removed", () => {
    const { files, failure, restart } = start();
    const container = ["pod-infra-container-image=pause", "container-runtime=remote", "docker-endpoint=/x", "network-plugin=cni"];
    const others = ["cloud-config=/x", "cadvisor-port=4194", "log-dir=/x", "log-file=/x", "logtostderr=true"];
    for (const flag of [...container, ...others]) {
      files.writeFile("/etc/default/kubelet", `KUBELET_EXTRA_ARGS="--v=3 --${flag}"\n`);
      restart();
      expect(failure()).toBe(
        `run.go:72] "command failed" err="failed to parse kubelet flag: unknown flag: --${flag.split("=")[0]}"`,
      );
    }
  });

  it.each([
    ["--image-gc=5", "failed to parse kubelet flag: unknown flag: --image-gc"],
    ["--max-pods=5", "--max-pods=5: not simulated"],
  ])("refuses the flag %s", (flag, problem) => {
    const { files, failure, restart } = start();
    files.writeFile("/etc/default/kubelet", `KUBELET_EXTRA_ARGS="--v=3 ${flag}"\n`);
    restart();
    expect(failure()).toBe(`run.go:72] "command failed" err="${problem}"`);
  });
});

const providerConfig = (more = ""): string => `apiVersion: kubelet.config.k8s.io/v1
kind: CredentialProviderConfig
providers:
- name: lab-provider
  apiVersion: credentialprovider.kubelet.k8s.io/v1
  matchImages: ["*.lab.example:5000"]
  defaultCacheDuration: 10m
  args: [get]
  env:
  - {name: REGISTRY_USER, value: lab}
${more}`;

const provider = (response: string): string => `#!/bin/sh
cat >> /var/log/provider.log
echo "$1 $REGISTRY_USER" >> /var/log/provider.log
cat <<EOF
${response}
EOF
`;

const answer = (cacheKeyType: string, cacheDuration = ""): string =>
  `{"kind":"CredentialProviderResponse","apiVersion":"credentialprovider.kubelet.k8s.io/v1","cacheKeyType":"${cacheKeyType}",${cacheDuration}"auth":{"${host}":{"username":"lab","password":"lab-pass"}}}`;

function withProvider(script: string, configuration = providerConfig()) {
  const started = start();
  const { files, learner, wait, restart } = started;
  files.makeDirectories("/etc/kubernetes/credentials");
  files.makeDirectories("/opt/credential-providers");
  files.writeFile("/etc/kubernetes/credentials/lab.yaml", configuration);
  files.writeFile("/opt/credential-providers/lab-provider", script, { permissions: 0o755 });
  files.writeFile(
    "/etc/default/kubelet",
    "KUBELET_EXTRA_ARGS=--v=3 --image-credential-provider-config=/etc/kubernetes/credentials --image-credential-provider-bin-dir=/opt/credential-providers\n",
  );
  restart();
  const run = (name: string, of: string): string => {
    const spec = `--overrides='{"spec":{"nodeName":"node-1"}}'`;
    learner.run(`kubectl run ${name} --image=${of} --image-pull-policy=Always ${spec} -- sleep 10000`);
    wait(8);
    return learner.run(`kubectl get pod ${name} --no-headers | awk '{print $3}'`).trim();
  };
  /** Questions that the plugin was asked. */
  const asked = () =>
    (files.exists("/var/log/provider.log") ? files.readText("/var/log/provider.log") : "")
      .split("\n")
      .flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : []));
  return { ...started, run, asked };
}

describe("credential providers", () => {
  const v2 = `${host}/team-a/app:v2`;

  it("[POD-057] [POD-058] are asked for images that fit, and their answers kept by image", () => {
    const { run, asked, files } = withProvider(provider(answer("Image")));
    expect(run("public", "busybox:1.36")).toBe("Running");
    expect(asked()).toEqual([]);
    expect(run("one", image)).toBe("Running");
    expect(asked()).toEqual([
      { kind: "CredentialProviderRequest", apiVersion: "credentialprovider.kubelet.k8s.io/v1", image: `${host}/team-a/app` },
    ]);
    expect(files.readText("/var/log/provider.log")).toContain("get lab\n");
    expect(run("two", v2)).toBe("Running");
    expect(asked()).toHaveLength(1);
  });

  it.each<readonly [string, string, number]>([
    ["of the registry, so long as it is to be kept", answer("Registry", '"cacheDuration":"5m",'), 1],
    ["for all images", answer("Global"), 1],
    ["that is not to be kept", answer("Image", '"cacheDuration":"0s",'), 2],
  ])("[POD-057] an answer %s", (_title, response, questions) => {
    const { run, asked } = withProvider(provider(response));
    expect([run("one", image), run("two", v2)]).toEqual(["Running", "Running"]);
    expect(asked()).toHaveLength(questions);
  });

  it("[POD-057] an answer is asked for again when its time is over", () => {
    const { run, asked, wait } = withProvider(provider(answer("Registry", '"cacheDuration":"1m",')));
    run("one", image);
    wait(61);
    run("two", image);
    expect(asked()).toHaveLength(2);
  });

  it.each<readonly [string, string, string]>([
    [
      "fail",
      "#!/bin/sh\necho no token >&2\nexit 3\n",
      `error execing credential provider plugin lab-provider for image ${host}/team-a/app: exit status 3: no token\n`,
    ],
    [
      "answer in another version",
      provider(answer("Image").replace("k8s.io/v1", "k8s.io/v1beta1")),
      "apiVersion from credential plugin response did not match expected apiVersion:credentialprovider.kubelet.k8s.io/v1, actual apiVersion:credentialprovider.kubelet.k8s.io/v1beta1",
    ],
    [
      "answer something else",
      provider(answer("Image").replace("Response", "Answer")),
      "error decoding credential provider plugin response from stdout",
    ],
  ])("[POD-057] that %s give nothing, which the journal tells", (_title, script, problem) => {
    const { run, failure } = withProvider(script);
    expect(run("one", image)).toMatch(/^(ErrImagePull|ImagePullBackOff)$/u);
    expect(failure("plugin.go:396]")).toBe(
      `plugin.go:396] Failed getting credential from external registry credential provider: ${problem}`.trimEnd(),
    );
  });

  const doubled = providerConfig(providerConfig().slice(providerConfig().indexOf("- name")));
  it.each<readonly [string, string, string]>([
    ["no kind", "apiVersion: v1\n", "Object 'Kind' is missing in '{\\\"apiVersion\\\":\\\"v1\\\"}'"],
    ["an unknown field", providerConfig("  cache: 5m\n"), 'strict decoding error: unknown field \\"providers[0].cache\\"'],
  ])("[POD-058] a file with %s keeps the kubelet from starting", (_title, configuration, problem) => {
    const { failure } = withProvider(provider(answer("Image")), configuration);
    expect(failure()).toBe(
      `kuberuntime_manager.go:310] "Failed to register CRI auth plugins" err="error decoding config \\"/etc/kubernetes/credentials/lab.yaml\\": ${problem}"`,
    );
  });

  it.each<readonly [string, string, string]>([
    ["a name that occurs twice", doubled, 'duplicate provider name \\"lab-provider\\" found in configuration file(s)'],
    [
      "nothing of what must be there",
      "apiVersion: kubelet.config.k8s.io/v1\nkind: CredentialProviderConfig\nproviders:\n- name: a b\n",
      'failed to validate credential provider config: [providers.name: Invalid value: \\"a b\\": provider name cannot contain spaces, providers.apiVersion: Required value, providers.matchImages: Required value: at least 1 item in matchImages is required, providers.defaultCacheDuration: Required value]',
    ],
    ["a program that is not there", providerConfig().replace("lab-provider", "other"), "plugin binary executable  did not exist"],
    [
      "tokens, which are not here",
      providerConfig("  tokenAttributes: {}\n"),
      "credential provider lab-provider: tokenAttributes: not simulated",
    ],
  ])("[POD-058] %s keeps the kubelet from starting", (_title, configuration, problem) => {
    const { failure, node } = withProvider(provider(answer("Image")), configuration);
    expect(failure()).toBe(`kuberuntime_manager.go:310] "Failed to register CRI auth plugins" err="${problem}"`);
    expect(node("systemctl is-active kubelet")).toBe("activating\n");
  });
});
