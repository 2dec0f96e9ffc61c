// Images that the documentation's examples use: polinux/stress, perl, hello-app (distroless), the sample device plugin, hpa-example
// with a sender of requests for it (hey), traefik/whoami, and the bare distroless bases.

import type { FileTree, TreeEntry } from "#sim/files.ts";
import { lateProgram } from "#sim/late-programs.ts";
import { digestOf } from "../fingerprint.ts";
import { configOf, type Image, type ImageConfig } from "../image.ts";
import { scratchFiles } from "../linux-files.ts";
import { busyboxTools, debianTools, slimDebianTools, withCurl } from "../tools.ts";

interface Sample {
  readonly repository: string;
  readonly tags: readonly string[];
  readonly sizeBytes: number;
  readonly config: ImageConfig;
  readonly files: FileTree;
}

function withProgram(base: FileTree, path: string, sizeBytes: number): FileTree {
  const program = lateProgram(`sample/${path.slice(path.lastIndexOf("/") + 1)}`);
  return new Map<string, TreeEntry>([...base, [path, { type: "program", program, sizeBytes, permissions: 0o755 }]]);
}

const base = (name: string, sizeBytes: number): readonly Sample[] =>
  [
    ["latest", "0"],
    ["nonroot", "65532"],
  ].map(([tag = "", user = ""]) => ({
    repository: `gcr.io/distroless/${name}`,
    tags: [tag],
    sizeBytes,
    config: { ...configOf([]), user },
    files: scratchFiles,
  }));

const samples: readonly Sample[] = [
  {
    repository: "docker.io/polinux/stress",
    tags: ["latest", "1.0.4"],
    sizeBytes: 4_041_495,
    config: configOf([], ["sh"]),
    files: withProgram(busyboxTools, "/usr/local/bin/stress", 30_128),
  },
  {
    repository: "docker.io/library/perl",
    tags: ["5.34.0", "5.34", "5.42", "latest"],
    sizeBytes: 336_374_010,
    config: { ...configOf([], ["perl5", "-de0"]), workingDir: "/usr/src/app" },
    files: withProgram(withProgram(debianTools, "/usr/local/bin/perl", 3_478_464), "/usr/local/bin/perl5", 3_478_464),
  },
  {
    repository: "gcr.io/google-samples/hello-app",
    tags: ["1.0", "2.0"],
    sizeBytes: 13_711_004,
    config: { ...configOf([], ["/hello-app"]), user: "65532:65532", exposedPorts: [8080] },
    files: withProgram(scratchFiles, "/hello-app", 6_907_034),
  },
  {
    repository: "registry.k8s.io/e2e-test-images/sample-device-plugin",
    tags: ["1.3", "1.7"],
    sizeBytes: 8_604_320,
    config: configOf(["/sampledeviceplugin"]),
    files: withProgram(scratchFiles, "/sampledeviceplugin", 22_020_096),
  },
  {
    repository: "registry.k8s.io/hpa-example",
    tags: ["latest"],
    sizeBytes: 200_211_868,
    config: { ...configOf([], ["apache2-foreground"]), workingDir: "/var/www/html", exposedPorts: [80] },
    files: new Map<string, TreeEntry>([
      ...withProgram(withCurl(slimDebianTools), "/usr/local/bin/apache2-foreground", 1_346),
      [
        "/var/www/html/index.php",
        {
          type: "file",
          content: '<?php\n  $x = 0.0001;\n  for ($i = 0; $i <= 1000000; $i++) {\n    $x += sqrt($x);\n  }\n  echo "OK!";\n?>\n',
        },
      ],
    ]),
  },
  {
    repository: "docker.io/williamyeh/hey",
    tags: ["latest"],
    sizeBytes: 3_180_544,
    config: configOf(["/hey"]),
    files: withProgram(scratchFiles, "/hey", 7_352_320),
  },
  {
    repository: "docker.io/traefik/whoami",
    tags: ["v1.10", "v1.11", "v1.11.0", "latest"],
    sizeBytes: 2_901_504,
    config: { ...configOf(["/whoami"]), exposedPorts: [80] },
    files: withProgram(scratchFiles, "/whoami", 7_118_848),
  },
  {
    repository: "gcr.io/k8s-staging-custom-metrics/k8s-test-metrics-adapter-amd64",
    tags: ["latest"],
    sizeBytes: 24_117_248,
    config: { ...configOf(["/adapter"]), exposedPorts: [6443, 8080] },
    files: withProgram(scratchFiles, "/adapter", 62_914_560),
  },
  ...base("static-debian12", 775_840),
  ...base("base-debian12", 10_012_400),
];

export const sampleImages: readonly Image[] = samples.flatMap(({ repository, tags, ...rest }) =>
  tags.map((tag) => ({
    repository,
    tag,
    digest: digestOf(`${repository} ${tag}`),
    ...rest,
    config: repository.endsWith("hello-app") ? { ...rest.config, env: { ...rest.config.env, PORT: "8080" } } : rest.config,
  })),
);
