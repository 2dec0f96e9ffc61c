// One block of behaviours.txt a required behaviour, each typed into a terminal of a fresh world: whole outputs, exit codes included. Where the
// list of behaviours and the kubectl v1.36.3 of tests/oracle disagree, the latter has it.

import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { docs } from "#cluster/api/generated/docs.ts";
import { World } from "#world/world.ts";
import { Typist } from "../../typist.ts";
import { normalized, readTranscript } from "./transcript.test-kit.ts";

const here = import.meta.dirname;
const files = Object.fromEntries(readdirSync(`${here}/files`).map((name) => [name, readFileSync(`${here}/files/${name}`, "utf8")]));
const blocks = new Map(
  readTranscript(readFileSync(`${here}/behaviours.txt`, "utf8")).map((block) => [block.title, block.commands]),
);

const behaviours = [
  "[API-010] shows one Lease for each node",
  "[API-013] shows the labels that nodes come with",
  "[API-015] shows the roles of nodes",
  "[API-064] lists the versions that are served by default",
  "[API-085] makes Services whose names are DNS labels, digit first allowed",
  "[API-088] is warned of Pod names that are no DNS labels",
  "[API-095] refuses metadata of another type before it sends anything",
  "[API-104] names the command that set a field",
  "[API-113] words one cause in a line and several as a list",
  "[API-114] lists the supported values",
  "[API-115] says that a selector does not match its template",
  "[API-116] says that a selector is immutable",
  "[API-117] says what is wrong with expressions of a selector",
  "[API-136] prints a row for each event of a watch",
  "[API-239] [WRK-424] shows the tolerations that every Pod gets",
  "[API-274] lists leases with their holders",
  "[API-323] errors on stderr with exit code 1, results on stdout",
  "[API-324] names the reason of a refusal, and the file that asked for it",
  "[API-325] says which fields of an object are invalid",
  "[API-326] words other errors and points to the help",
  "[API-327] names the server that refuses connections",
  "[API-328] knows what the server has no type for",
  "[API-329] finds no kind for a manifest",
  "[API-330] misses files and folders without manifests",
  "[API-331] misses kind and apiVersion before asking the server",
  "[API-332] points at the line of bad YAML",
  "[API-333] refuses an unknown way to validate",
  "[API-334] refuses another namespace than the file's",
  "[API-335] says that nothing was found, and succeeds",
  "[API-336] separates the kinds of one get and names them",
  "[API-337] shows the namespace with -A, also beside -n",
  "[API-338] prints objects in every form",
  "[API-339] says what became of each object",
  "[API-340] names the namespace that an object is deleted from",
  "[API-341] [WRK-439] warns of deletion without confirmation",
  "[API-342] [WRK-290] [WRK-291] knows the ways to cascade",
  "[API-343] asks before it deletes with -i",
  "[API-344] creates a manifest once",
  "[API-345] creates an object by name once",
  "[API-346] makes a deployment from a name and an image",
  "[API-347] replaces only what is there",
  "[API-348] replaces an object wholly but for its identity",
  "[API-349] warns of objects that were not applied before",
  "[API-350] keeps what was applied, as one line of JSON",
  "[API-351] applies: sets what the file says, removes what it no longer says, leaves the rest",
  "[API-352] does not apply generated names",
  "[API-353] warns of changes to what is being deleted",
  "[API-354] reads folders, with -R those below, and standard input",
  "[API-355] tells who else owns a field",
  "[API-356] shows what would change, and says so by its exit code",
  "[API-357] leaves an object that the editor leaves",
  "[API-358] labels, and keeps labels that are there",
  "[API-359] annotates, and keeps annotations that are there but the cause of a change",
  "[API-360] lists labels and annotations",
  "[API-361] shows labels as columns",
  "[API-362] lists namespaces and nodes",
  "[API-363] shows whether nodes are ready and schedulable",
  "[API-365] gets component statuses with a warning",
  "[API-366] lists resources, by group, verb, category and order",
  "[API-367] lists versions sorted",
  "[API-368] explains fields",
  "[API-369] prints versions",
  "[API-370] tells where the cluster is",
  "[API-371] serves the API on a local port, but not sessions in Pods",
  "[API-372] cordons and uncordons once",
  "[API-373] describes nodes in the order of their sections",
  "[API-374] describes a namespace with its limits",
  "[API-375] prints events in columns",
  "[API-376] records commands, though that is deprecated",
  "[API-377] shows a cause set by hand in the history",
  "[API-378] takes global flags anywhere",
  "[API-380] takes the kubeconfig of the flag, else of the environment, else of the home",
  "[API-381] misses the file that the flag names",
  "[API-382] skips missing names in KUBECONFIG",
  "[API-383] refuses a broken kubeconfig",
  "[API-385] merges kubeconfigs: the first file wins, entry by entry",
  "[API-386] finds the files of a kubeconfig beside it",
  // upstream v1.36 words a missing cluster as `no server found for cluster "x"`.
  "[API-387] misses contexts, clusters and users that a flag names",
  "[API-388] misses the current context",
  // upstream v1.36 asks for a name and a password where a context names no user that there is.
  "[API-389] has no server for a missing cluster, and asks who one is for a missing user",
  // upstream v1.36 prints a single problem after `error: `, not below `Error in configuration: `.
  "[API-390] refuses two ways to authenticate",
  "[API-391] refuses a certificate without its key",
  "[API-393] lets flags override the file",
  "[API-394] believes no server without the right authority and name",
  "[API-395] hides secrets in the view",
  "[API-396] shows only the current context with --minify",
  "[API-397] lists contexts",
  "[API-398] names the current context",
  "[API-399] switches contexts",
  "[API-400] makes and changes contexts",
  "[API-401] sets clusters, users and properties",
  "[API-402] deletes contexts, clusters and users",
  "[API-403] renames contexts",
  "[API-404] lists clusters and users",
  "[API-405] writes changes to the file that holds the entry",
  "[API-406] changes the namespace of later commands",
  "[API-379] keeps what the server serves for six hours, but asks again for what it does not know",
  "[API-413] believes no server whose authority it does not know",
  "[API-414] believes no server by another name than its certificate has",
  "[API-426] [POD-079] finds later Services by name, not in variables",
  "[API-427] resolves headless Services to Pods",
  "[API-428] keeps the pull policy that was set at the creation",
  "[NET-422] rewrites references to generated names",
  "[NET-423] applies a kustomization object by object",
  "[NET-424] names a ConfigMap after its content with --append-hash",
  "[NET-428] describes a Service field by field",
  "[NET-429] describes the ready endpoints of a Service",
  "[NET-430] describes Endpoints",
  "[NET-431] describes EndpointSlices",
  "[NET-440] describes claims",
  "[NET-441] describes volumes",
  "[NET-442] describes storage classes",
  "[NET-445] describes ConfigMaps",
  "[NET-446] describes Secrets by the size of their values",
  "[NET-447] describes service accounts",
  "[NET-449] needs a port to expose",
  "[NET-450] makes Services by name",
  "[NET-451] refuses sources of keys that cannot be used",
  "[NET-453] makes Secrets for registries",
  "[NET-454] makes Ingresses from rules",
  "[NET-455] edits with a heading, and gives up where nothing was changed",
  "[POD-065] makes registry Secrets with the key that kubelets read",
  "[POD-197] lists Pods of all namespaces",
  "[POD-280] waits until what it deletes is gone, unless told otherwise",
  "[POD-358] adds an ephemeral container under a made name",
  "[POD-360] needs an image to debug",
  "[POD-361] needs input for a terminal",
  "[POD-362] says what it targets",
  "[POD-365] debugs a copy without what marks the original",
  "[POD-366] keeps of the original what it is told to",
  "[POD-367] changes images and commands of a copy",
  "[POD-368] replaces the original by the copy",
  "[POD-369] targets no container of a copy",
  "[POD-370] debugs a node from a Pod on it",
  "[POD-371] gives the Pod on a node its host",
  "[POD-372] knows the profiles",
  "[POD-644] gets and describes the objects of a file",
  "[POD-649] shows events of one object only, unless they are asked for",
  "[WRK-106] restarts by an annotation of the template",
  "[WRK-120] warns of going back behind apply",
  "[WRK-124] does not roll back what is paused",
  "[WRK-129] scales, and only from the present size when that is named",
];

describe("kubectl", () => {
  for (const title of behaviours) {
    it(title, () => {
      const commands = blocks.get(/[A-Z]+-\d+/.exec(title)?.[0] ?? "");
      if (commands === undefined) throw new Error("behaviours.txt has no such block");
      const world = new World({ startMs: Date.UTC(2026, 0, 15, 9), seed: 11, nodes: 1, files });
      world.cluster.apiServer.docs = docs;
      world.boot();
      const typist = new Typist(world);
      const typed = commands.map(({ line }) => {
        const { output, code } = typist.run(line);
        return { line, output: [normalized(output), code === 0 ? "" : `(exit ${code})`].filter((text) => text !== "").join("\n") };
      });
      expect(typed).toEqual(commands);
    });
  }
});
