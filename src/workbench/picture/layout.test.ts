import { describe, expect, it } from "vitest";
import type { ClusterView, PodView, ServiceView } from "#lab/picture-view.ts";
import { layoutPicture } from "./layout.ts";
import { createLetters } from "./letters.ts";
import { clusterOf, layoutOptions, objectView, podView, serviceView } from "./views.test-kit.ts";

const options = layoutOptions();

const nodes: ClusterView["nodes"] = ["control-plane", "node-1", "node-2", "node-3"].map((name) => ({
  name,
  address: "",
  ready: true,
  unschedulable: false,
  zone: "",
  controlPlane: name === "control-plane",
}));

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function overlap(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

function view(pods: readonly PodView[]): ClusterView {
  return clusterOf({ nodes, pods });
}

describe("the cluster picture's layout", () => {
  it("draws a frame per node, workers side by side below the control plane", () => {
    const { frames } = layoutPicture(view([]), options);
    expect(frames.map((frame) => frame.name)).toEqual(["control-plane", "node-1", "node-2", "node-3"]);
    const workers = frames.slice(1);
    expect(new Set(workers.map((frame) => frame.y)).size).toBe(1);
    expect(workers.every((frame) => frame.x + frame.width <= options.widthPx)).toBe(true);
  });

  it("adds a frame for pods without a node only while there are some", () => {
    expect(layoutPicture(view([podView("a", "")]), options).frames.map((frame) => frame.name)).toContain("");
    expect(layoutPicture(view([podView("a", "node-1")]), options).frames.map((frame) => frame.name)).not.toContain("");
  });

  it("draws what is the learner's at full size, whatever its name", () => {
    const { pods } = layoutPicture(
      view([podView("kubernetes", "node-1"), podView("dns", "node-1", { namespace: "kube-system" })]),
      options,
    );
    const sizes = Object.fromEntries(pods.map(({ pod, size }) => [pod.name, size]));
    expect(sizes["kubernetes"]).toBeGreaterThan(sizes["dns"] ?? 0);
  });

  it("keeps every pod inside the frame of its node, also hundreds of them", () => {
    const pods = Array.from({ length: 300 }, (_, index) => podView(`p${index}`, `node-${(index % 3) + 1}`));
    const picture = layoutPicture(view(pods), options);
    expect(picture.pods).toHaveLength(300);
    for (const placed of picture.pods) {
      const frame = picture.frames.find((candidate) => candidate.name === placed.pod.nodeName);
      if (frame === undefined) throw new Error(`no frame for ${placed.pod.name}`);
      expect(placed.x - placed.size / 2).toBeGreaterThanOrEqual(frame.x);
      expect(placed.x + placed.size / 2).toBeLessThanOrEqual(frame.x + frame.width);
      expect(placed.y + placed.size / 2).toBeLessThanOrEqual(frame.y + frame.height);
    }
  });

  it("shows counts by state where pods are too many to draw", () => {
    const pods = Array.from({ length: 1_000 }, (_, index) =>
      podView(`p${index}`, "node-1", { shape: index < 10 ? "pending" : "running" }),
    );
    const picture = layoutPicture(view(pods), options);
    expect(picture.pods).toEqual([]);
    expect(picture.frames.find((frame) => frame.name === "node-1")?.counts.map(({ shape, count }) => [shape, count])).toEqual([
      ["pending", 10],
      ["running", 990],
    ]);
  });

  it("shows system pods small in the header, or like others when asked for", () => {
    const pods = [podView("etcd", "control-plane", { namespace: "kube-system" })];
    expect(layoutPicture(view(pods), options).pods.map((placed) => placed.size)).toEqual([8]);
    expect(layoutPicture(view(pods), { ...options, showSystem: true }).pods.map((placed) => placed.size)).toEqual([24]);
  });

  it("keeps system pods off the name beside which they stand, in two lines where the frame is narrow", () => {
    const system = ["a", "b", "c", "d", "e", "f"].map((name) => podView(name, "control-plane", { namespace: "kube-system" }));
    const waiting = podView("waits", "");
    for (const widthPx of [256, 340, 420, 700]) {
      const { pods } = layoutPicture(view([...system, waiting]), { ...options, widthPx });
      const marks = pods.filter(({ size }) => size === 8);
      expect(marks).toHaveLength(6);
      // "control-plane" begins at 24 and is 93 wide at most.
      for (const { x, y } of marks) {
        expect(x - 4).toBeGreaterThanOrEqual(24 + 93);
        expect(y).toBeGreaterThan(4);
        expect(y).toBeLessThan(24);
      }
    }
  });

  it("groups pods by owner and revision", () => {
    const pods = [podView("z", "node-1", { revision: "b" }), podView("y", "node-1", { ownerName: "api" }), podView("x", "node-1")];
    expect(layoutPicture(view(pods), options).pods.map((placed) => placed.pod.name)).toEqual(["y", "x", "z"]);
  });

  it("puts each owner's Pods into trays of its own, which hold them and stay inside the frame", () => {
    const owners = ["web", "api", "database", "cache"];
    for (const count of [8, 60, 300]) {
      const pods = Array.from({ length: count }, (_, index) =>
        podView(`p${index}`, `node-${(index % 3) + 1}`, { ownerName: owners[index % 4] ?? "" }),
      );
      const { trays, pods: placed, frames } = layoutPicture(view(pods), options);
      const holders = placed.map(({ pod, x, y, size }) => {
        const around = trays.filter(
          (tray) =>
            x - size / 2 >= tray.x &&
            x + size / 2 <= tray.x + tray.width &&
            y - size / 2 >= tray.y &&
            y + size / 2 <= tray.y + tray.height,
        );
        expect(around).toHaveLength(1);
        return [pod.ownerName, around[0]?.hue];
      });
      expect(new Set(holders.map(([owner, hue]) => `${owner} ${hue}`)).size).toBe(4);
      for (const tray of trays) {
        expect(frames.some(({ x, width }) => tray.x >= x && tray.x + tray.width <= x + width)).toBe(true);
        expect(trays.filter((other) => other !== tray && overlap(tray, other))).toEqual([]);
      }
    }
  });

  it("names an owner at the beginning of its first row in a frame, and bare Pods each while they are few", () => {
    const bare = (name: string) => podView(name, "node-1", { ownerKind: "", ownerName: "" });
    const tags = (pods: readonly PodView[]) => layoutPicture(view(pods), layoutOptions()).trays.map(({ tag, hue }) => [tag, hue]);
    expect(tags([podView("a", "node-1"), podView("b", "node-1"), bare("client")])).toEqual([
      ["client", 0],
      ["web", 1],
    ]);
    expect(tags(Array.from({ length: 9 }, (_, index) => bare(`p${index}`))).map(([tag]) => tag)).toEqual(["Pod", "", ""]);
  });
});

describe("letters of generations", () => {
  it("follow the order of first sight, per owner, and stay", () => {
    const letterOf = createLetters();
    const of = (ownerName: string, revision: string) =>
      letterOf({ namespace: "default", ownerKind: "Deployment", ownerName, revision });
    expect([of("web", "x"), of("web", "y"), of("web", "x"), of("api", "y"), of("web", "")]).toEqual(["A", "B", "A", "A", ""]);
  });
});

describe("the row of Services", () => {
  const service = (name: string, namespace = "default") => serviceView(name, { namespace });
  const withServices = (services: readonly ServiceView[]) => ({ ...view([]), services });

  it("lies between the control plane and the workers, with the terminal first, and is not there without Services", () => {
    const { services, terminal, frames } = layoutPicture(withServices([service("web"), service("kubernetes")]), options);
    expect(services.map(({ text }) => text)).toEqual(["web → 1"]);
    const [controlPlane, worker] = frames;
    if (terminal === undefined || controlPlane === undefined || worker === undefined) throw new Error("nothing there");
    expect(terminal.y).toBeGreaterThanOrEqual(controlPlane.y + controlPlane.height);
    expect(terminal.x + terminal.width).toBeLessThan(services[0]?.x ?? 0);
    expect(terminal.y + terminal.height).toBeLessThan(worker.y);
    expect(layoutPicture(withServices([service("kubernetes")]), options)).toMatchObject({ services: [], terminal: undefined });
  });

  it("shows system Services with the system Pods", () => {
    const all = withServices([service("kube-dns", "kube-system")]);
    expect(layoutPicture(all, options).services).toEqual([]);
    expect(layoutPicture(all, { ...options, showSystem: true }).services.map(({ text }) => text)).toEqual(["kube-dns → 1"]);
  });

  it("has two lines at most, counts the rest, and keeps everything inside the picture", () => {
    const many = Array.from({ length: 30 }, (_, index) => service(`a-service-with-a-rather-long-name-${index}`));
    const { services, moreServices } = layoutPicture(withServices(many), options);
    expect(new Set(services.map(({ y }) => y)).size).toBe(2);
    expect(moreServices?.text).toBe(`+${30 - services.length}`);
    for (const { x, width } of [...services, ...(moreServices ? [moreServices] : [])])
      expect(x + width).toBeLessThanOrEqual(options.widthPx);
    expect(services[0]?.text).toBe("a-service-with-a-rather… → 1");
  });
});

describe("the objects of a lab", () => {
  const tie = (from: string, to: string, kind: "owner" | "bond" = "owner") => ({ kind, from, to });

  it("stand below what owns or holds them, between the control plane and the workers", () => {
    const objects = [objectView("child"), objectView("parent"), objectView("grandchild")];
    const ties = [tie("child", "parent"), tie("grandchild", "child"), tie("p", "child", "bond")];
    const { objects: placed, frames } = layoutPicture({ ...view([podView("p", "node-1")]), objects, ties }, options);
    const rows = new Map(placed.map(({ object, y }) => [object.name, y]));
    expect([...rows].sort((a, b) => a[1] - b[1]).map(([name]) => name)).toEqual(["parent", "child", "grandchild"]);
    expect(Math.max(...placed.map(({ y, height }) => y + height))).toBeLessThan(frames.at(-1)?.y ?? 0);
  });

  it("say that they wait to be deleted, and what holds them", () => {
    const guarded = objectView("guarded", { deleting: true, finalizers: ["example.com/hold"], text: "Bound" });
    const [plate] = layoutPicture({ ...view([]), objects: [guarded] }, options).objects;
    expect(plate).toMatchObject({ head: "ConfigMap · deleted", text: "guarded · Bound", foot: "example.com/hold" });
  });

  it("end when two own each other, fit into the narrowest picture, and are counted where they are too many", () => {
    const objects = Array.from({ length: 45 }, (_, index) => objectView(`settings-of-shop-${index}`));
    const ties = [tie("settings-of-shop-0", "settings-of-shop-1"), tie("settings-of-shop-1", "settings-of-shop-0")];
    const { objects: placed, moreObjects } = layoutPicture({ ...view([]), objects, ties }, layoutOptions({ widthPx: 330 }));
    expect(placed).toHaveLength(40);
    expect(moreObjects?.text).toBe("+5");
    for (const plate of placed) {
      expect(plate.x + plate.width).toBeLessThanOrEqual(330);
      expect(placed.filter((other) => other !== plate && overlap(plate, other))).toEqual([]);
    }
  });
});
