import { describe, expect, it } from "vitest";
import { deployments, pods } from "#cluster/api/kinds.ts";
import { check, type KubectlWorld, kubectlWorld } from "./kubectl.test-kit.ts";

const container = { name: "web", image: "nginx" };

function worldWithPods(): KubectlWorld {
  const world = kubectlWorld();
  world.client.create(pods, {
    metadata: { name: "web", namespace: "default", labels: { app: "web" } },
    spec: { containers: [container] },
  });
  world.client.create(pods, { metadata: { name: "db", namespace: "default" }, spec: { containers: [container] } });
  world.client.create(deployments, {
    metadata: { name: "web", namespace: "default" },
    spec: {
      selector: { matchLabels: { app: "web" } },
      template: { metadata: { labels: { app: "web" } }, spec: { containers: [container] } },
    },
  });
  return world;
}

const refused = "Error from server (NotFound): ";

describe("kubectl's command line", () => {
  it("words unknown commands, flags and arguments as kubectl does", () => {
    check(worldWithPods(), [
      { line: "gett", code: 1, stderr: 'error: unknown command "gett" for "kubectl"\n\nDid you mean this?\n\tset\n\tget\n' },
      { line: "aply -f web.yaml", code: 1, stderr: 'error: unknown command "aply" for "kubectl"\n\nDid you mean this?\n\tapply\n' },
      { line: "get pods --foo", code: 1, stderr: "error: unknown flag: --foo\nSee 'kubectl get --help' for usage.\n" },
      { line: "get -o", code: 1, stderr: "error: flag needs an argument: 'o' in -o\nSee 'kubectl get --help' for usage.\n" },
      { line: "config foo", code: 1, stderr: "error: unknown command \"foo\"\nSee 'kubectl config -h' for help and examples\n" },
      {
        line: "logs web --tail=x",
        code: 1,
        stderr:
          'error: invalid argument "x" for "--tail" flag: strconv.ParseInt: parsing "x": invalid syntax\nSee \'kubectl logs --help\' for usage.\n',
      },
      { line: "scale deploy web", code: 1, stderr: 'error: required flag(s) "replicas" not set\n' },
    ]);
  });

  it("takes a name that the shell has left empty for none, and not for all objects", () => {
    const world = worldWithPods();
    const failed = { code: 1, stdout: "", stderr: "error: resource name may not be empty\n" };
    for (const line of ['get pods ""', 'delete pods ""', 'describe pods ""', 'logs ""', 'label pods "" a=b'])
      expect([line, world.run(line)]).toMatchObject([line, failed]);
    expect(world.run("get pods -o name").stdout).toBe("pod/db\npod/web\n");
  });

  it("[API-384] talks to localhost:8080 without configuration", () => {
    const { code, stderr } = kubectlWorld({ "/tmp/empty": "" }).run("--kubeconfig=/tmp/empty get pods");
    expect(code).toBe(1);
    expect(stderr.split("\n").slice(-2)).toEqual([
      "The connection to the server localhost:8080 was refused - did you specify the right host or port?",
      "",
    ]);
  });

  it("says which commands are not part of the release", () => {
    check(worldWithPods(), [
      {
        line: "kuberc view",
        code: 1,
        stderr: "error: kubectl kuberc view is not part of this release of the embedded kubectl\n",
      },
    ]);
  });
});

describe("kubectl get", () => {
  it("prints tables, and says when there is nothing", () => {
    const world = worldWithPods();
    expect(world.run("get pods --no-headers -o name").stdout).toBe("pod/db\npod/web\n");
    check(world, [
      { line: "get svc -n kube-public", stderr: "No resources found in kube-public namespace.\n" },
      { line: "get pods -A -l x=y", stderr: "No resources found\n" },
      { line: "get pod none", code: 1, stderr: `${refused}pods "none" not found\n` },
      { line: "get foo", code: 1, stderr: 'error: the server doesn\'t have a resource type "foo"\n' },
      { line: "get pods nope --ignore-not-found" },
      { line: "get pod/web deploy/web -o name", stdout: "pod/web\ndeployment.apps/web\n" },
      { line: "get pods web -A", code: 1, stderr: "error: a resource cannot be retrieved by name across all namespaces\n" },
      { line: "get a/b/c", code: 1, stderr: "error: arguments in resource/name form may not have more than one slash\n" },
    ]);
  });

  it("selects and formats output", () => {
    check(worldWithPods(), [
      { line: "get pods -o jsonpath={.items[*].metadata.name}", stdout: "db web" },
      { line: "get pods -o custom-columns=N:.metadata.name,X:.spec.foo", stdout: "N     X\ndb    <none>\nweb   <none>\n" },
      { line: "get pods web -o go-template={{.metadata.name}}", stdout: "web" },
      {
        line: "get pods -o foo",
        code: 1,
        stderr:
          'error: unable to match a printer suitable for the output format "foo", allowed formats are: custom-columns,custom-columns-file,go-template,go-template-file,json,jsonpath,jsonpath-as-json,jsonpath-file,kyaml,name,template,templatefile,wide,yaml\n',
      },
      { line: "get pods -o jsonpath", code: 1, stderr: "error: template format specified but no template given\n" },
    ]);
  });

  it("[API-141] words a bad selector with the resource it was for", () => {
    const { stderr } = worldWithPods().run("get pods -l 'x in'");
    expect(stderr).toContain(
      'Error from server (BadRequest): Unable to find "/v1, Resource=pods" that match label selector "x in", field selector "": ',
    );
  });
});

describe("kubectl label and annotate", () => {
  it("say what changed", () => {
    check(worldWithPods(), [
      { line: "label pod web a=b", stdout: "pod/web labeled\n" },
      { line: "label pod web a=c", code: 1, stderr: "error: 'a' already has a value (b), and --overwrite is false\n" },
      { line: "label pod web a=c --overwrite", stdout: "pod/web labeled\n" },
      { line: "label pod web a=c", stdout: "pod/web not labeled\n" },
      { line: "label pod web a- b=c", stdout: "pod/web modified\n" },
      { line: "label pod web a-", stdout: 'label "a" not found.\npod/web not labeled\n' },
      { line: "label pods --all x=y --dry-run=client", stdout: "pod/db labeled (dry run)\npod/web labeled (dry run)\n" },
      { line: "label pod web", code: 1, stderr: "error: at least one label update is required\n" },
      { line: "annotate pod web a=b -o name", stdout: "pod/web\n" },
    ]);
  });

  it("[API-137] refuses a stale resource version", () => {
    check(worldWithPods(), [
      {
        line: "label pod web q=1 --resource-version=1",
        code: 1,
        stderr:
          'Error from server (Conflict): Operation cannot be fulfilled on pods "web": the object has been modified; please apply your changes to the latest version and try again\n',
      },
    ]);
  });
});

describe("kubectl patch", () => {
  it("[API-106] says whether the patch changed anything", () => {
    check(worldWithPods(), [
      { line: 'patch pod web -p \'{"metadata":{"labels":{"a":"b"}}}\'', stdout: "pod/web patched\n" },
      { line: 'patch pod web -p \'{"metadata":{"labels":{"a":"b"}}}\'', stdout: "pod/web patched (no change)\n" },
      {
        line: "patch pod web -p '{}' --type=foo",
        code: 1,
        stderr: 'error: --type must be one of [json merge strategic], not "foo"\n',
      },
    ]);
  });
});

describe("kubectl delete and wait", () => {
  it("[API-163] delete prints a line an object and waits until it is gone", () => {
    check(worldWithPods(), [
      { line: "delete pod db --dry-run=server", stdout: 'pod "db" deleted from default namespace (server dry run)\n' },
      { line: "delete pod db", stdout: 'pod "db" deleted from default namespace\n' },
      { line: "delete pod db other", code: 1, stderr: `${refused}pods "db" not found\n${refused}pods "other" not found\n` },
      { line: "delete pod", code: 1, stderr: "error: resource(s) were provided, but no name was specified\n" },
      { line: "delete pods -l a=b", stdout: "No resources found\n" },
    ]);
  });

  it("wait meets conditions or times out", () => {
    check(worldWithPods(), [
      { line: "wait pod web --for=jsonpath={.status.phase}=Pending --timeout=1s", stdout: "pod/web condition met\n" },
      {
        line: "wait pod web --for=condition=Ready --timeout=2s",
        code: 1,
        stderr: "error: timed out waiting for the condition on pods/web\n",
      },
      { line: "wait --for=delete pod/none --timeout=5s" },
      { line: "wait pod web --for=foo", code: 1, stderr: 'error: unrecognized condition: "foo"\n' },
    ]);
  });
});

describe("kubectl config", () => {
  it("reads and changes contexts", () => {
    check(worldWithPods(), [
      { line: "config use-context foo", code: 1, stderr: 'error: no context exists with the name: "foo"\n' },
      {
        line: "config set-context dev --cluster=kubernetes --user=kubernetes-admin --namespace=team-a",
        stdout: 'Context "dev" created.\n',
      },
      { line: "config use-context dev", stdout: 'Switched to context "dev".\n' },
      { line: "get pods", stderr: "No resources found in team-a namespace.\n" },
      { line: "config view --minify -o jsonpath={..namespace}", stdout: "team-a" },
      { line: "config set-context --current --namespace=default", stdout: 'Context "dev" modified.\n' },
      { line: "config rename-context dev prod", stdout: 'Context "dev" renamed to "prod".\n' },
      { line: "config current-context", stdout: "prod\n" },
    ]);
  });

  it("[API-402] deletes entries and warns about the active context", () => {
    check(worldWithPods(), [
      {
        line: "config delete-context kubernetes-admin@kubernetes",
        stdout: "deleted context kubernetes-admin@kubernetes from /root/.kube/config\n",
        stderr: 'warning: this removed your active context, use "kubectl config use-context" to select a different one\n',
      },
      { line: "config delete-context x", code: 1, stderr: "error: cannot delete context x, not in /root/.kube/config\n" },
    ]);
  });
});

describe("kubectl logs and exec", () => {
  it("check their arguments before they ask for a stream", () => {
    check(worldWithPods(), [
      { line: "logs none", code: 1, stderr: 'error: error from server (NotFound): pods "none" not found in namespace "default"\n' },
      { line: "logs web -c x", code: 1, stderr: "error: container x is not valid for pod web out of: web\n" },
      { line: "exec web", code: 1, stderr: "error: you must specify at least one command for the container\n" },
      {
        line: "exec web ls",
        code: 1,
        stderr:
          "error: exec [POD] [COMMAND] is not supported anymore. Use exec [POD] -- [COMMAND] instead\nSee 'kubectl exec -h' for help and examples\n",
      },
    ]);
  });
});

describe("kubectl __complete", () => {
  const ended = "Completion ended with directive: ShellCompDirectiveNoFileComp\n";

  it("completes commands, flags, and what the cluster has", () => {
    check(worldWithPods(), [
      { line: "__complete ge", stdout: "get\tDisplay one or many resources\n:4\n", stderr: ended },
      { line: "__complete get -o js", stdout: "json\njsonpath\njsonpath-as-json\njsonpath-file\n:4\n", stderr: ended },
      { line: "__complete get deploy", stdout: "deployments.apps\n:4\n", stderr: ended },
      { line: "__complete get pods w", stdout: "web\n:4\n", stderr: ended },
      { line: "__complete get pods/w", stdout: "pods/web\n:4\n", stderr: ended },
      { line: "__complete get pods -n kube-s", stdout: "kube-system\n:4\n", stderr: ended },
      { line: "__complete exec web -c w", stdout: "web\n:4\n", stderr: ended },
      { line: "__complete config use-context k", stdout: "kubernetes-admin@kubernetes\n:4\n", stderr: ended },
    ]);
  });
});
