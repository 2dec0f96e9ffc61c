// The command line of `npm run cluster`.

import { maximumControlPlaneNodes } from "#world/cluster-shape.ts";

export interface ClusterArguments {
  readonly port: number;
  /** Workers beside the control plane. */
  readonly nodes: number;
  readonly controlPlanes: number;
  /** Path of the kubeconfig file to write. */
  readonly kubeconfig: string;
  readonly seed: number;
  /** Plain HTTP without credentials instead of HTTPS. */
  readonly insecureHttp: boolean;
  /** Nothing runs beyond what kubeadm gives a cluster. */
  readonly withoutAddons: boolean;
  /** Name of the lab whose cluster it is, as its learner finds it; undefined for a cluster of its own. */
  readonly lab: string | undefined;
  /** What is typed goes to a shell on the workstation. */
  readonly terminal: boolean;
}

const switchNames = ["--insecure-http", "--no-addons", "--terminal"];
const valueNames = ["--port", "--nodes", "--control-planes", "--kubeconfig", "--seed", "--lab"];
export const namesOfOptions: readonly string[] = [...valueNames, ...switchNames];

export const helpText = `A simulated Kubernetes cluster in real time, for real clients on this machine.

Usage:
  npm run cluster -- --kubeconfig FILE [options]

Options:
  --kubeconfig FILE    where to write the address and the credentials
  --port N             port of the API server on 127.0.0.1 (6443)
  --nodes N            workers beside the control plane (3)
  --control-planes N   nodes of the control plane, at most ${maximumControlPlaneNodes} (1)
  --seed N             the same seed gives the same run (1)
  --lab NAME           the cluster of a lab, as its learner finds it
  --insecure-http      plain HTTP; without a token one is the administrator
  --no-addons          neither metrics-server nor a StorageClass
  --terminal           a shell on the workstation, here; its end ends all
  --help, -h           print this`;

/** Throws an Error whose message is the one sentence to print. */
export function readArguments(args: readonly string[]): ClusterArguments | "help" {
  const values = new Map<string, string>();
  const switches = new Set<string>();
  for (let index = 0; index < args.length; index += 1) {
    const [name = "", inline] = (args[index] as string).split(/=(.*)/s, 2);
    if ((name === "--help" || name === "-h") && inline === undefined) return "help";
    if (switchNames.includes(name) && inline === undefined) {
      switches.add(name);
      continue;
    }
    if (!valueNames.includes(name)) {
      throw new Error(`there is no option "${name}"; the options are ${namesOfOptions.join(", ")}`);
    }
    const value = inline ?? args[++index];
    if (value === undefined) throw new Error(`${name} needs a value`);
    values.set(name, value);
  }
  const kubeconfig = values.get("--kubeconfig");
  if (kubeconfig === undefined || kubeconfig === "")
    throw new Error("--kubeconfig FILE is needed: the file to write the cluster's address to");
  const lab = values.get("--lab");
  if (lab !== undefined && (values.has("--nodes") || values.has("--control-planes") || switches.has("--no-addons")))
    throw new Error("--lab says which nodes and add-ons there are; leave --nodes, --control-planes and --no-addons out");
  return {
    port: wholeNumber(values, "--port", 6443, 1, 65535),
    nodes: wholeNumber(values, "--nodes", 3, 0, 5000),
    controlPlanes: wholeNumber(values, "--control-planes", 1, 1, maximumControlPlaneNodes),
    seed: wholeNumber(values, "--seed", 1, 0, 0xffffffff),
    kubeconfig,
    insecureHttp: switches.has("--insecure-http"),
    withoutAddons: switches.has("--no-addons"),
    lab,
    terminal: switches.has("--terminal"),
  };
}

function wholeNumber(values: ReadonlyMap<string, string>, name: string, fallback: number, least: number, most: number): number {
  const text = values.get(name);
  if (text === undefined) return fallback;
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(number >= least && number <= most)) throw new Error(`${name} takes a whole number from ${least} to ${most}, not "${text}"`);
  return number;
}
