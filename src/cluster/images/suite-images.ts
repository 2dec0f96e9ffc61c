// The images of Kubernetes' own tests (test/utils/image/manifest.go), as test/images builds them. They come late: nothing of them is needed
// before somebody pulls one, so their files hold programs themselves and not only names of them. Beside them stands one of ours: upstream
// publishes no image of a KMS plugin.

import { decodeBase64 } from "#sim/base64.ts";
import type { FileTree, TreeEntry } from "#sim/files.ts";
import type { Program } from "#sim/program.ts";
import { agnhost } from "./agnhost/agnhost.ts";
import { coreDns } from "./agnhost/coredns.ts";
import { localhostCertificate, localhostKey } from "./agnhost/localhost-pair.ts";
import { printEffectiveUser } from "./agnhost/printers.ts";
import { digestOf } from "./fingerprint.ts";
import { configOf, type Image, type ImageConfig } from "./image.ts";
import { scratchFiles } from "./linux-files.ts";
import { nginxImagesOf } from "./nginx/image.ts";
import { nginxOfTests } from "./nginx/release-of-tests.ts";
import { nginxReleases } from "./nginx/releases.ts";
import { etcd, etcdVersion } from "./sample-apiserver/etcd.ts";
import { sampleApiServer } from "./sample-apiserver/program.ts";
import { mockKmsPlugin } from "./samples/mock-kms-plugin.ts";
import { perl } from "./samples/perl.ts";
import { alpineTools, busyboxTools, debianTools, slimDebianTools, withUser } from "./tools.ts";

const registry = "registry.k8s.io/e2e-test-images";

function withExecutable(base: FileTree, path: string, program: Program, sizeBytes: number): FileTree {
  return new Map<string, TreeEntry>([...base, [path, { type: "program", program, sizeBytes, permissions: 0o755 }]]);
}

interface Declared {
  readonly sizeBytes: number;
  readonly config: ImageConfig;
  readonly files: FileTree;
}

function tagged(name: string, tag: string, { sizeBytes, config, files }: Declared): Image {
  return { repository: `${registry}/${name}`, tag, digest: digestOf(`${name} ${tag} of tests`), sizeBytes, config, files };
}

const file = (content: string, permissions = 0o644): TreeEntry => ({ type: "file", content, permissions });

/** Alpine with the packages that agnhost's image installs, as far as they are known here. */
const agnhostTools: FileTree = new Map<string, TreeEntry>([
  ...alpineTools,
  ...[...debianTools].filter(([path]) => /^\/usr\/bin\/(?:curl|dig|getent|host|nslookup|nc|ip|ss)$|^\/bin\/bash$/.test(path)),
  ["/uploads", { type: "directory" }],
  ["/localhost.crt", file(localhostCertificate)],
  ["/localhost.key", file(localhostKey)],
  ["/agnhost-2", { type: "symlink", target: "agnhost" }],
]);

/** For tests of supplementary groups that an image defines. */
const agnhostBase = withUser(
  agnhostTools,
  "user-defined-in-image:x:1000:1000::/home/user-defined-in-image:/bin/sh",
  "user-defined-in-image:x:1000:\ngroup-defined-in-image:x:50000:user-defined-in-image",
);

const agnhostBytes = 51_806_208;
const coreDnsBytes = 41_922_560;
const agnhostConfig = { ...configOf(["/agnhost"], ["pause"]), exposedPorts: [80, 8080, 8081, 9376, 5000] };

function agnhostFiles(version: string): FileTree {
  return withExecutable(withExecutable(agnhostBase, "/agnhost", agnhost(version), agnhostBytes), "/coredns", coreDns, coreDnsBytes);
}

const agnhostTags = ["2.39", "2.40", "2.45", "2.47", "2.52", "2.53", "2.55", "2.56", "2.63.0"];
const newestAgnhost = agnhostFiles(agnhostTags.at(-1) as string);

/** The smallest picture there is: one grey point. */
const picture = decodeBase64(
  "/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=",
).bytes;

/** agnhost with a picture, which it serves. */
function pictureOf(name: string): Image {
  const files = new Map<string, TreeEntry>([
    ...newestAgnhost,
    [`/${name}.jpg`, { type: "file", content: picture, permissions: 0o644 }],
    ["/data.json", file(`{\n  "image": "${name}.jpg"\n}\n`)],
  ]);
  return tagged(name, "1.8", { sizeBytes: 51_160_118, config: { ...agnhostConfig, cmd: ["test-webserver"] }, files });
}

/** Tags of the suite, and the release of nginx on Alpine that each was built on. */
const nginxTags: readonly (readonly [tag: string, base: string])[] = [
  ["1.14-4", "1.14.2"],
  ["1.15-4", nginxOfTests.version],
  ["1.27-0", "1.27.5"],
];

function nginxOf(tag: string, base: string): Image {
  const releases = [...nginxReleases, nginxOfTests].filter(({ version }) => version === base);
  const found = releases.flatMap(nginxImagesOf).find((image) => image.tag.endsWith("-alpine"));
  if (found === undefined) throw new Error(`no nginx ${base} on Alpine`);
  return tagged("nginx", tag, found);
}

const busybox: Declared = { sizeBytes: 2_223_686, config: configOf([], ["sh"]), files: busyboxTools };
const noNewPrivileges: FileTree = new Map<string, TreeEntry>([
  ...alpineTools,
  ["/usr/local/bin/nnp", { type: "program", program: printEffectiveUser, sizeBytes: 1_540_096, permissions: 0o6755 }],
]);
const nonRoot: Declared = {
  sizeBytes: 42_311_680,
  config: { ...configOf([], ["/bin/sh"]), user: "1234" },
  files: slimDebianTools,
};
const dnsTesting: Declared = { sizeBytes: 112_030_336, config: configOf([], ["bash"]), files: debianTools };
/** Tests of devices use the image of this driver for its shell; of the driver itself nothing is simulated. */
const hostPathDriver: Program = function* (self) {
  yield* self.write(2, "hostpathplugin is not supported here\n");
  return 1;
};
const perlFiles = withExecutable(debianTools, "/usr/local/bin/perl", perl, 3_478_464);
const perlConfig = { ...configOf([], ["perl5.26.3", "-de0"]), workingDir: "/usr/src/app" };

export const suiteImages: readonly Image[] = [
  ...agnhostTags.map((tag) => tagged("agnhost", tag, { sizeBytes: 51_105_200, config: agnhostConfig, files: agnhostFiles(tag) })),
  pictureOf("kitten"),
  pictureOf("nautilus"),
  ...["1.29-4", "1.36.1-1", "1.37.0-1"].map((tag) => tagged("busybox", tag, busybox)),
  ...nginxTags.map(([tag, base]) => nginxOf(tag, base)),
  tagged("nonewprivs", "1.4", { sizeBytes: 4_512_902, config: configOf([], ["nnp"]), files: noNewPrivileges }),
  ...["1.4", "1.5"].map((tag) => tagged("nonroot", tag, nonRoot)),
  tagged("glibc-dns-testing", "2.0.0", dnsTesting),
  ...["1.3", "1.7"].map((tag) => tagged("jessie-dnsutils", tag, dnsTesting)),
  tagged("sample-apiserver", "1.29.2", {
    sizeBytes: 30_220_288,
    config: configOf(["/sample-apiserver"]),
    files: withExecutable(alpineTools, "/sample-apiserver", sampleApiServer, 60_293_120),
  }),
  {
    repository: "registry.k8s.io/etcd",
    tag: `${etcdVersion}-0`,
    digest: digestOf(`etcd ${etcdVersion} of tests`),
    sizeBytes: 23_702_528,
    config: configOf([], ["/usr/local/bin/etcd"]),
    files: withExecutable(scratchFiles, "/usr/local/bin/etcd", etcd, 25_165_824),
  },
  {
    repository: "registry.k8s.io/sig-storage/hostpathplugin",
    tag: "v1.17.1",
    digest: digestOf("hostpathplugin of tests"),
    sizeBytes: 32_505_856,
    config: configOf(["/hostpathplugin"]),
    files: withExecutable(alpineTools, "/hostpathplugin", hostPathDriver, 20_971_520),
  },
  {
    repository: "docker.io/pilothouse/mock-kms-plugin",
    tag: "1.0",
    digest: digestOf("mock-kms-plugin 1.0"),
    sizeBytes: 9_437_184,
    config: configOf(["mock-kms-plugin"]),
    files: withExecutable(alpineTools, "/usr/local/bin/mock-kms-plugin", mockKmsPlugin, 15_728_640),
  },
  tagged("perl", "5.26", { sizeBytes: 335_903_744, config: perlConfig, files: perlFiles }),
];
