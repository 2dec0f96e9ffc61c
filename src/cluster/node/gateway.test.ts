import { describe, expect, it } from "vitest";
import { ApiError } from "#cluster/api/errors.ts";
import type { LogOptions } from "#cluster/apiserver/kubelet-gateway.ts";
import { decodeUtf8, encodeUtf8 } from "#sim/bytes.ts";
import { NodeGateway } from "./gateway.ts";
import { SmallCluster } from "./small-cluster.test-kit.ts";

const name = { namespace: "default", name: "web" };
const defaults: LogOptions = {
  container: "c",
  follow: false,
  previous: false,
  timestamps: false,
  tailLines: undefined,
  sinceMs: undefined,
  limitBytes: undefined,
};

function withPod(command: string, more: object = {}): { readonly cluster: SmallCluster; readonly gateway: NodeGateway } {
  const cluster = new SmallCluster();
  cluster.startKubelets();
  const gateway = new NodeGateway();
  gateway.add(cluster.node.kubelet);
  cluster.createPod("web", { containers: [{ name: "c", image: "busybox:1.36", command: ["sh", "-c", command], ...more }] });
  return { cluster, gateway };
}

function read(gateway: NodeGateway, options: Partial<LogOptions>): string {
  let text = "";
  gateway.logs(
    "node-1",
    name,
    { ...defaults, ...options },
    {
      onData: (bytes) => {
        text += decodeUtf8(bytes);
      },
      onEnd: () => {},
    },
  );
  return text;
}

function refusal(action: () => void): string {
  try {
    action();
  } catch (error) {
    if (error instanceof ApiError) return `${error.code} ${error.message}`;
    throw error;
  }
  return "";
}

describe("logs", () => {
  it("[POD-625] gives the last lines, so many bytes, with times", () => {
    const { cluster, gateway } = withPod("for i in 1 2 3; do echo line $i; done; sleep 3600");
    cluster.untilReady("web");
    expect(read(gateway, {})).toBe("line 1\nline 2\nline 3\n");
    expect(read(gateway, { tailLines: 1 })).toBe("line 3\n");
    expect(read(gateway, { limitBytes: 4 })).toBe("line");
    expect(read(gateway, { tailLines: 1, timestamps: true })).toMatch(/^2026-01-01T00:00:0\d\.\d{9}Z line 3\n$/);
  });

  it("follows what is written", () => {
    const { cluster, gateway } = withPod("while true; do echo tick; sleep 2; done");
    cluster.untilReady("web");
    let text = "";
    const following = gateway.logs(
      "node-1",
      name,
      { ...defaults, follow: true, tailLines: 0 },
      {
        onData: (bytes) => {
          text += decodeUtf8(bytes);
        },
        onEnd: () => {},
      },
    );
    cluster.simulation.advance(4_000);
    following.stop();
    cluster.simulation.advance(4_000);
    expect(text).toBe("tick\ntick\n");
  });

  it("[POD-620] [POD-621] says why there is none", () => {
    const { cluster, gateway } = withPod("sleep 3600");
    cluster.simulation.advance(300);
    expect(refusal(() => read(gateway, {}))).toBe('400 container "c" in pod "web" is waiting to start: ContainerCreating');
    cluster.untilReady("web");
    expect(refusal(() => read(gateway, { previous: true }))).toBe('400 previous terminated container "c" in pod "web" not found');
  });

  it("[POD-097] [POD-620] has none to show of a container whose postStart hook runs", () => {
    const { cluster, gateway } = withPod("echo up; sleep 3600", { lifecycle: { postStart: { sleep: { seconds: 20 } } } });
    cluster.simulation.advance(10_000);
    expect(refusal(() => read(gateway, {}))).toBe('400 container "c" in pod "web" is waiting to start: ContainerCreating');
    cluster.untilReady("web");
    expect(read(gateway, {})).toBe("up\n");
  });

  it("refuses the connection when the kubelet is stopped", () => {
    const { cluster, gateway } = withPod("sleep 3600");
    cluster.untilReady("web");
    cluster.node.kubelet.stop();
    expect(refusal(() => read(gateway, {}))).toBe(
      '500 Get "https://10.0.0.3:10250/containerLogs/default/web/c": dial tcp 10.0.0.3:10250: connect: connection refused',
    );
  });
});

describe("exec", () => {
  const options = { container: "c", stdin: true, stdout: true, stderr: true, tty: false };

  it("runs a command in the container, with input and exit code", () => {
    const { cluster, gateway } = withPod("sleep 3600");
    cluster.untilReady("web");
    const session = gateway.exec("node-1", name, { ...options, command: ["sh", "-c", "cat; hostname; exit 3"] });
    let output = "";
    let code: number | undefined;
    session.onStdout = (bytes) => {
      output += decodeUtf8(bytes);
    };
    session.onExit = (value) => {
      code = value;
    };
    session.writeStdin(encodeUtf8("hello\n"));
    session.closeStdin();
    cluster.simulation.advance(1_000);
    expect({ output, code }).toEqual({ output: "hello\nweb\n", code: 3 });
  });

  it("says when there is no such command or container", () => {
    const { cluster, gateway } = withPod("sleep 3600");
    cluster.untilReady("web");
    expect(refusal(() => gateway.exec("node-1", name, { ...options, command: ["nope"] }))).toMatch(
      /^500 Internal error occurred: error executing command in container: failed to exec in container: failed to start exec "[0-9a-f]{64}": OCI runtime exec failed: exec failed: unable to start container process: exec: "nope": executable file not found in \$PATH: unknown$/,
    );
    expect(refusal(() => gateway.exec("node-1", name, { ...options, container: "x", command: ["ls"] }))).toBe(
      '500 Internal error occurred: unable to upgrade connection: container not found ("x")',
    );
    expect(refusal(() => gateway.attach("node-1", name, { ...options, container: "x" }))).toBe(
      "500 Internal error occurred: unable to upgrade connection: container x not found in pod web_default",
    );
  });
});
