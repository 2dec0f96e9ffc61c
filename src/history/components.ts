// Which part of the cluster made a request, by its user and user agent.

import type { RecordedRequest } from "#world/happenings.ts";
import type { Component } from "./questions.ts";

export const apiServer: Component = { name: "kube-apiserver", group: "apiserver" };
export const scheduler: Component = { name: "kube-scheduler", group: "scheduler" };
const nodePrefix = "system:node:";
const serviceAccountPrefix = "system:serviceaccount:kube-system:";
const provisionerPrefix = "system:serviceaccount:local-path-storage:";
const known = new Map<string, Component>();

export function kubelet(nodeName: string): Component {
  return remembered(`${nodePrefix}${nodeName}`, () => ({ name: `kubelet ${nodeName}`, group: "node" }));
}

/** Undefined: nobody asked, the server did it by itself. */
export function componentOf(request: Pick<RecordedRequest, "user" | "userAgent"> | undefined): Component {
  if (request === undefined) return apiServer;
  const { user, userAgent } = request;
  return remembered(`${user.name}\n${userAgent}`, () => makeComponent(user.name, userAgent));
}

function makeComponent(user: string, userAgent: string): Component {
  const [program = "", part = ""] = userAgent.split("/");
  if (user === "system:apiserver") return apiServer;
  if (user.startsWith(nodePrefix)) return kubelet(user.slice(nodePrefix.length));
  if (user === "system:kube-scheduler") return scheduler;
  if (program === "kube-controller-manager") return { name: part === "leader-election" ? program : part, group: "controller" };
  if (user.startsWith(serviceAccountPrefix)) return { name: user.slice(serviceAccountPrefix.length), group: "addon" };
  if (user.startsWith(provisionerPrefix)) return { name: program, group: "addon" };
  return { name: program === "" ? user : program, group: "client" };
}

/** Few components make many requests. */
function remembered(key: string, make: () => Component): Component {
  let component = known.get(key);
  if (component === undefined) {
    component = make();
    known.set(key, component);
  }
  return component;
}
