// The floor plan: rooms import only from rooms below them, and nothing imports in circles.

/** Tests and what only they use. */
const tests = "\\.test\\.tsx?$|\\.test-kit\\.ts$";

/**
 * Circles that are meant: code that comes late is named by its type where it is called; in the kernel a process, its files, its sockets
 * and the kernel know each other; a lab's session and its messages; interpreters and editors of several files.
 */
const typeCircles = "/late-[^/]+\\.ts$|^src/sim/|^src/lab/|^src/shell/(editor|commands/jq)/|/devices/device-plugins\\.ts$";

/** Files whose types a session speaks of. */
const shapes =
  "^src/(lab/(questions|picture-view|checkpoints|exam|manifest-help)|history/(questions|flow-log)|world/browser)\\.ts$";

/** From the bottom up. Files of a room may import from their own and from lower rooms. */
const floors = [
  ["src/differences"],
  ["src/sim"],
  ["src/x509"],
  ["src/shell"],
  ["src/cluster"],
  ["src/kubectl"],
  ["src/world"],
  ["src/reading"],
  ["src/history"],
  ["src/lab", "src/server"],
  ["src/terminal", "src/workbench", "src/i18n", "src/course", "src/offline", "src/authoring", "src/classroom"],
  ["src/components", "src/layouts", "src/pages", "src/styles"],
];

const upwards = floors.slice(0, -1).map((rooms, index) => ({
  name: `${rooms.map((room) => room.slice(4)).join("-")}-looks-up`,
  comment: "a room imports only from the rooms below it (src/README.md)",
  severity: "error",
  from: { path: `^(${rooms.join("|")})/` },
  to: {
    path: `^(${floors
      .slice(index + 1)
      .flat()
      .join("|")})/`,
  },
}));

export default {
  forbidden: [
    ...upwards,
    { name: "no-circles", severity: "error", from: {}, to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } } },
    {
      name: "no-circles-of-types",
      comment: "what two files say of each other belongs in a third; who may differ is named in typeCircles",
      severity: "error",
      from: { path: "^src/", pathNot: tests },
      to: { circular: true, viaOnly: { path: "^src/", pathNot: typeCircles } },
    },
    {
      name: "kubectl-knows-http-only",
      comment: "kubectl is a client: of the cluster it may use the shared API primitives, never the server's insides",
      severity: "error",
      from: { path: "^src/kubectl/", pathNot: tests },
      to: { path: "^src/cluster/", pathNot: "^src/cluster/api/" },
    },
    {
      name: "components-never-touch-the-store",
      comment: "controllers, scheduler and kubelets know the API server through their client",
      severity: "error",
      from: { path: "^src/cluster/(controllers|scheduler|node|network|client)/", pathNot: tests },
      // Static Pods are completed and checked by the kubelet itself, by the same rules.
      to: {
        path: "^src/cluster/(storage|apiserver|resources)/",
        pathNot:
          "^src/cluster/(apiserver/kubelet-gateway|resources/core/pods/(pod-defaults|pod-validation)|resources/field-errors)\\.ts$",
      },
    },
    {
      name: "pages-know-the-session-only",
      comment: "pages and the workbench know LabSession, the shapes that it speaks of, and nothing behind it",
      severity: "error",
      from: { path: "^src/(pages|layouts|components|workbench)/", pathNot: "\\.test\\.tsx?$" },
      to: {
        path: "^src/(lab/(?!session\\.ts|open\\.ts|start-worker\\.ts|catalog)|history/(?!object-ref\\.ts)|world|cluster|kubectl|shell|sim)",
        pathNot: shapes,
      },
    },
    {
      name: "pages-take-shapes-only",
      comment: "of what a session speaks of, pages take the types, not the code",
      severity: "error",
      from: { path: "^src/(pages|layouts|components|workbench)/", pathNot: "\\.test\\.tsx?$" },
      to: { path: shapes, dependencyTypesNot: ["type-only"] },
    },
    {
      name: "history-listens-to-the-world-only",
      comment: "what a history needs of a world is one interface; the server's insides stay behind it",
      severity: "error",
      from: { path: "^src/history/", pathNot: tests },
      to: { path: "^src/(world/(?!happenings\\.ts)|cluster/(storage|apiserver|resources)/|(kubectl|shell|x509)/)" },
    },
    {
      name: "node-stays-in-the-server",
      comment: "only the adapter and the tools may use Node",
      severity: "error",
      from: {
        path: "^src/(differences|sim|x509|shell|cluster|kubectl|world|history|lab|terminal|workbench|classroom(?!/server/))/",
        pathNot: `${tests}`,
      },
      to: { dependencyTypes: ["core"] },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "generated/|^dist|^\\.astro" },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "default"] },
  },
};
