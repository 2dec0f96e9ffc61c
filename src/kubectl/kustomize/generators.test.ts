import { expect, it } from "vitest";
import { check, kubectlWorld } from "../kubectl.test-kit.ts";

// As the release's own kubectl prints it, hash and all.
it("[NET-420] keeps the quotes of an env file, and takes those of literals away", () => {
  const world = kubectlWorld({
    "/tmp/g/tiles.env": 'A=\'x\'\nB="y"\nC="z\n  D= w \nE\n# c\nF=\nH=a=b"\n',
    "/tmp/g/kustomization.yaml": `configMapGenerator:
- name: r
  literals: [RANGE="1 2", Q='a']
  envs: [tiles.env]
`,
  });
  check(world, [
    {
      line: "kustomize /tmp/g",
      stdout: `apiVersion: v1
data:
  A: '''x'''
  B: '"y"'
  C: '"z'
  D: ' w '
  E: ""
  F: ""
  H: a=b"
  Q: a
  RANGE: 1 2
kind: ConfigMap
metadata:
  name: r-fff26g2c6m
`,
    },
  ]);
});

// Values of the release's own kubectl.
it.each<readonly [string, string, string, string]>([
  ["files with line ends", "\n", "files: [username.txt, password.txt]", "7md2kkgk8g"],
  ["files without", "", "files: [username.txt, password.txt]", "gd995d5t92"],
  ["literals", "", "literals: [username=admin, password=secret]", "8c5228dkb9"],
])("[NET-421] names a Secret after its data: %s", (_title, end, from, hash) => {
  const world = kubectlWorld({
    "/tmp/g/username.txt": `admin${end}`,
    "/tmp/g/password.txt": `1f2d1e2e67df${end}`,
    "/tmp/g/kustomization.yaml": `secretGenerator:\n- name: db-user-pass\n  ${from}\n`,
  });
  expect(world.run("kustomize /tmp/g").stdout).toContain(`\n  name: db-user-pass-${hash}\n`);
});
