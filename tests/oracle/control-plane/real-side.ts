// The real control plane on loopback: etcd, API server, controller manager and scheduler as processes of their own, with the settings
// that kubeadm gives them as far as they act without nodes.

import { type ChildProcess, spawn } from "node:child_process";
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { createWriteStream, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeCertificates } from "#server/certificates.ts";
import { freePort } from "../free-port.ts";
import { type Answer, answerOf, bodyOf, type Call, headersOf, type Side } from "./side.ts";

const startLimitMs = 120_000;
const serviceCidr = "10.96.0.0/12";

export interface RealSideOptions {
  readonly programs: string;
  /** API server only: nothing is reconciled and nothing scheduled. */
  readonly withoutLoops?: boolean;
  /** `--node-monitor-grace-period`; upstream's unless stated. */
  readonly nodeGraceSeconds?: number;
}

interface Process {
  readonly name: string;
  readonly child: ChildProcess;
  readonly ended: Promise<void>;
}

export class RealSide implements Side {
  readonly #programs: string;
  readonly #folder = mkdtempSync(join(tmpdir(), "pilothouse-control-plane-"));
  readonly #processes: Process[] = [];
  readonly #token = randomBytes(16).toString("hex");
  readonly #agent: Agent;
  readonly #port: number;
  readonly #nodeGraceSeconds: number;
  #died: string | undefined;
  #stopping = false;

  private constructor({ programs, nodeGraceSeconds = 50 }: RealSideOptions, port: number, authority: string) {
    this.#programs = programs;
    this.#nodeGraceSeconds = nodeGraceSeconds;
    this.#port = port;
    this.#agent = new Agent({ ca: authority, keepAlive: true, maxSockets: 16 });
  }

  static async start(options: RealSideOptions): Promise<RealSide> {
    const { withoutLoops = false } = options;
    const certificates = makeCertificates(["localhost", "127.0.0.1"], Date.now());
    const side = new RealSide(options, await freePort(), certificates.authorityPem);
    try {
      await side.#start(certificates, withoutLoops);
    } catch (error) {
      await side.stop();
      throw error;
    }
    return side;
  }

  get nowMs(): number {
    return Date.now();
  }

  /** Where its API server listens, and the `authorization` of its administrator. */
  get access(): { readonly port: number; readonly authorization: string } {
    return { port: this.#port, authorization: `Bearer ${this.#token}` };
  }

  /** Ids of its processes by name. */
  get pids(): ReadonlyMap<string, number> {
    return new Map(this.#processes.map(({ name, child }) => [name, child.pid ?? 0]));
  }

  /** Where each process writes its log. */
  get logs(): string {
    return this.#folder;
  }

  async #start(certificates: ReturnType<typeof makeCertificates>, withoutLoops: boolean): Promise<void> {
    const file = (name: string, text: string): string => {
      const path = join(this.#folder, name);
      writeFileSync(path, text, { mode: 0o600 });
      return path;
    };
    const { privateKey, publicKey } = generateKeyPairSync("rsa", {
      modulusLength: 2048,
      publicKeyEncoding: { type: "spki", format: "pem" },
      privateKeyEncoding: { type: "pkcs1", format: "pem" },
    });
    const keys = { private: file("sa.key", privateKey), public: file("sa.pub", publicKey) };
    const authority = file("ca.crt", certificates.authorityPem);
    const authorityKey = file("ca.key", certificates.authorityKeyPem);
    const tokens = {
      "kube-controller-manager": randomBytes(16).toString("hex"),
      "kube-scheduler": randomBytes(16).toString("hex"),
    };
    const lines = [
      `${this.#token},kubernetes-admin,kubernetes-admin,"system:masters"`,
      ...Object.entries(tokens).map(([name, token]) => `${token},system:${name},system:${name}`),
    ];
    const [etcd, peer] = [await freePort(), await freePort()];
    this.#run("etcd", [
      `--data-dir=${join(this.#folder, "etcd")}`,
      `--listen-client-urls=http://127.0.0.1:${etcd}`,
      `--advertise-client-urls=http://127.0.0.1:${etcd}`,
      `--listen-peer-urls=http://127.0.0.1:${peer}`,
      "--unsafe-no-fsync",
    ]);
    this.#run("kube-apiserver", [
      "--advertise-address=172.18.0.2",
      "--allow-privileged=true",
      "--authorization-mode=Node,RBAC",
      "--bind-address=127.0.0.1",
      `--client-ca-file=${authority}`,
      "--enable-admission-plugins=NodeRestriction",
      "--enable-bootstrap-token-auth=true",
      `--etcd-servers=http://127.0.0.1:${etcd}`,
      `--secure-port=${this.#port}`,
      "--service-account-issuer=https://kubernetes.default.svc.cluster.local",
      `--service-account-key-file=${keys.public}`,
      `--service-account-signing-key-file=${keys.private}`,
      `--service-cluster-ip-range=${serviceCidr}`,
      `--tls-cert-file=${file("apiserver.crt", certificates.serving.certificatePem)}`,
      `--tls-private-key-file=${file("apiserver.key", certificates.serving.keyPem)}`,
      `--token-auth-file=${file("tokens.csv", `${lines.join("\n")}\n`)}`,
      // Scenarios ask many things at once.
      "--max-requests-inflight=2000",
      "--max-mutating-requests-inflight=1000",
    ]);
    await this.#until("/readyz");
    if (withoutLoops) return;
    const kubeconfig = (name: keyof typeof tokens): string =>
      file(`${name}.conf`, kubeconfigOf(this.#port, authority, tokens[name]));
    this.#run("kube-controller-manager", [
      `--kubeconfig=${kubeconfig("kube-controller-manager")}`,
      "--authentication-skip-lookup",
      "--bind-address=127.0.0.1",
      `--secure-port=${await freePort()}`,
      "--allocate-node-cidrs=true",
      "--cluster-cidr=10.244.0.0/16",
      `--cluster-signing-cert-file=${authority}`,
      `--cluster-signing-key-file=${authorityKey}`,
      "--controllers=*,bootstrapsigner,tokencleaner",
      "--leader-elect=false",
      `--node-monitor-grace-period=${this.#nodeGraceSeconds}s`,
      `--root-ca-file=${authority}`,
      `--service-account-private-key-file=${keys.private}`,
      `--service-cluster-ip-range=${serviceCidr}`,
      "--use-service-account-credentials=true",
    ]);
    this.#run("kube-scheduler", [
      `--kubeconfig=${kubeconfig("kube-scheduler")}`,
      "--authentication-skip-lookup",
      "--bind-address=127.0.0.1",
      `--secure-port=${await freePort()}`,
      "--leader-elect=false",
    ]);
    // The last that a fresh controller manager makes.
    await this.#until("/api/v1/namespaces/default/serviceaccounts/default");
    await this.#until("/api/v1/namespaces/default/configmaps/kube-root-ca.crt");
  }

  #run(name: string, args: readonly string[]): void {
    const child = spawn(this.#programs, [name, ...args], { stdio: ["ignore", "ignore", "pipe"], cwd: this.#folder });
    child.stderr?.pipe(createWriteStream(join(this.#folder, `${name}.log`)));
    child.on("error", () => {});
    const ended = new Promise<void>((resolve) => {
      child.on("close", (code) => {
        if (!this.#stopping) this.#died ??= `${name} ended with exit code ${code}; its log is in ${this.#folder}`;
        resolve();
      });
    });
    this.#processes.push({ name, child, ended });
  }

  async #until(path: string): Promise<void> {
    const endMs = Date.now() + startLimitMs;
    for (;;) {
      if (this.#died !== undefined) throw new Error(this.#died);
      const answer = await this.ask({ method: "GET", path }).catch(() => undefined);
      if (answer?.status === 200) return;
      if (Date.now() > endMs) throw new Error(`the control plane does not answer ${path}: ${JSON.stringify(answer)}`);
      await this.wait(200);
    }
  }

  /** A request that upstream's server panics at ends with its connection: it is answered 0. */
  async ask(call: Call): Promise<Answer> {
    const answer = await this.#askOnce(call);
    return answer.status === 0 ? this.#askOnce(call) : answer;
  }

  #askOnce(call: Call): Promise<Answer> {
    const body = bodyOf(call);
    return new Promise((resolve, reject) => {
      const outgoing = request({
        agent: this.#agent,
        host: "127.0.0.1",
        port: this.#port,
        method: call.method,
        path: call.path,
        headers: { ...headersOf(call), authorization: `Bearer ${this.#token}`, "content-length": Buffer.byteLength(body) },
      });
      outgoing.on("error", (error) => {
        if (error instanceof Error && "code" in error && error.code === "ECONNRESET") {
          resolve({ status: 0, warnings: [], body: "the connection was closed without an answer" });
        } else reject(error);
      });
      outgoing.on("response", (incoming) => {
        let text = "";
        incoming.setEncoding("utf8");
        incoming.on("data", (part: string) => {
          text += part;
        });
        incoming.on("error", reject);
        incoming.on("end", () => resolve(answerOf(incoming.statusCode ?? 0, incoming.headers.warning, text)));
      });
      outgoing.end(body);
    });
  }

  wait(durationMs: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, durationMs));
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#agent.destroy();
    for (const { child, ended } of this.#processes.toReversed()) {
      child.kill("SIGKILL");
      await ended;
    }
    if (this.#died === undefined) rmSync(this.#folder, { recursive: true, force: true });
  }
}

function kubeconfigOf(port: number, authority: string, token: string): string {
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "it", cluster: { server: `https://127.0.0.1:${port}`, "certificate-authority": authority } }],
    users: [{ name: "it", user: { token } }],
    contexts: [{ name: "it", context: { cluster: "it", user: "it" } }],
    "current-context": "it",
  });
}
