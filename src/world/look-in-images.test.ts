// The images that people bring to look into the network, as kubectl run and kubectl debug start them.

import { beforeAll, describe, expect, it } from "vitest";
import { sitDown, type TypingLearner } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

describe("images to look in", () => {
  let learner: TypingLearner;

  beforeAll(() => {
    const world = new World({ startMs: 1_768_467_600_000, seed: 1, nodes: 1, files: {} });
    world.boot();
    learner = sitDown(world);
    learner.run("kubectl run web --image=nginx:1.27 --port=80 --expose");
    learner.run("kubectl wait --for=condition=Ready pod/web; sleep 3");
  });

  it("curlimages/curl hands options and addresses to curl, and runs other commands, as a user of its own", () => {
    expect(
      learner.run(
        "kubectl run c1 -i --rm --restart=Never -q --image=curlimages/curl -- -s -o /dev/null -w '%{http_code}\\n' http://web",
      ),
    ).toBe("200\n");
    expect(learner.run("kubectl run c2 -i --rm --restart=Never -q --image=curlimages/curl -- http://web")).toContain(
      "Welcome to nginx",
    );
    expect(learner.run("kubectl run c3 -i --rm --restart=Never -q --image=curlimages/curl -- id -un")).toBe("curl_user\n");
  });

  it("nicolaka/netshoot brings a shell with tools for the network", () => {
    const words =
      "bash -c 'curl -s -o /dev/null -w %{http_code} http://localhost; echo; dig +short web.default.svc.cluster.local | wc -l'";
    expect(learner.run(`kubectl debug web -i -q -c look --image=nicolaka/netshoot -- ${words}`)).toContain("200\n1\n");
    expect(
      learner.run("kubectl debug web -i -q -c dump --image=nicolaka/netshoot --profile=netadmin -- tcpdump -i eth0"),
    ).toContain("tcpdump is not simulated here; curl, dig");
    const both = "bash -c 'http :80; openssl version; echo $?'";
    expect(learner.run(`kubectl debug web -i -q -c both --image=nicolaka/netshoot -- ${both} 2>&1`)).toMatch(
      /^http is not simulated here; curl, .*\nOpenSSL 3\.\d+\.\d+ .*\n0\n$/u,
    );
  });
});
