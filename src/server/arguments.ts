// The command line of `npm run cluster`.

export interface ClusterArguments {
  readonly port: number;
  /** Workers beside the control-plane node. */
  readonly nodes: number;
  /** Path of the kubeconfig file to write. */
  readonly kubeconfig: string;
  readonly seed: number;
  /** Plain HTTP without credentials instead of HTTPS. */
  readonly insecureHttp: boolean;
  /** Nothing runs beyond what kubeadm gives a cluster. */
  readonly withoutAddons: boolean;
}

/** Throws an Error whose message is the one sentence to print. */
export function readArguments(args: readonly string[]): ClusterArguments {
  const values = new Map<string, string>();
  const switches = new Set<string>();
  for (let index = 0; index < args.length; index += 1) {
    const [name = "", inline] = (args[index] as string).split(/=(.*)/s, 2);
    if (["--insecure-http", "--no-addons"].includes(name) && inline === undefined) {
      switches.add(name);
      continue;
    }
    if (!["--port", "--nodes", "--kubeconfig", "--seed"].includes(name)) {
      throw new Error(
        `there is no option "${name}"; the options are --port, --nodes, --kubeconfig, --seed, --insecure-http and --no-addons`,
      );
    }
    const value = inline ?? args[++index];
    if (value === undefined) throw new Error(`${name} needs a value`);
    values.set(name, value);
  }
  const kubeconfig = values.get("--kubeconfig");
  if (kubeconfig === undefined || kubeconfig === "")
    throw new Error("--kubeconfig FILE is needed: the file to write the cluster's address to");
  return {
    port: wholeNumber(values, "--port", 6443, 1, 65535),
    nodes: wholeNumber(values, "--nodes", 3, 0, 5000),
    seed: wholeNumber(values, "--seed", 1, 0, 0xffffffff),
    kubeconfig,
    insecureHttp: switches.has("--insecure-http"),
    withoutAddons: switches.has("--no-addons"),
  };
}

function wholeNumber(values: ReadonlyMap<string, string>, name: string, fallback: number, least: number, most: number): number {
  const text = values.get(name);
  if (text === undefined) return fallback;
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(number >= least && number <= most)) throw new Error(`${name} takes a whole number from ${least} to ${most}, not "${text}"`);
  return number;
}
