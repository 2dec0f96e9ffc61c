// In a process of its own: what @ngrok/webernetes, found at the address given, uses for a cluster's start and for a Deployment of many
// replicas. Prints JSON, in milliseconds of processor time. Plain JavaScript: the package is no dependency, so nothing knows its types.

const [address, starts, rollouts, replicas] = process.argv.slice(2);
const { BaseImage, Cluster } = await import(address);

class Nginx extends BaseImage {
  static imageName = "nginx";
  static imageVersion = "1.27";
  defaultCommand = ["server"];

  async exec(context, argv) {
    if (argv[0] !== "server") return super.exec(context, argv);
    context.listenHttp(80, async () => ({ statusCode: 200, body: "hello" }));
    return context.waitUntilKilled();
  }
}

async function cpuMs(action) {
  const before = process.cpuUsage();
  await action();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

async function started() {
  const cluster = new Cluster();
  cluster.registerImage(Nginx);
  const ms = await cpuMs(() => cluster.init());
  return { cluster, ms };
}

async function rollOut(cluster, count) {
  const labels = { app: "web" };
  const template = {
    metadata: { labels },
    spec: { containers: [{ name: "nginx", image: "nginx:1.27", ports: [{ containerPort: 80 }] }] },
  };
  const spec = { replicas: count, selector: { matchLabels: labels }, template };
  await cluster.apply([{ apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web", namespace: "default" }, spec }]);
  for (;;) {
    const { status } = await cluster.api.appsv1.readNamespacedDeployment({ name: "web", namespace: "default" });
    if (status?.readyReplicas === count) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const startMs = [];
for (let count = 0; count < Number(starts); count++) {
  const { cluster, ms } = await started();
  startMs.push(ms);
  await cluster.close();
}
const rolloutMs = [];
for (let count = 0; count < Number(rollouts); count++) {
  const { cluster } = await started();
  rolloutMs.push(await cpuMs(() => rollOut(cluster, Number(replicas))));
  await cluster.close();
}
console.log(JSON.stringify({ startMs, rolloutMs }));
process.exit(0);
