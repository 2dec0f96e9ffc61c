import { it } from "vitest";
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
