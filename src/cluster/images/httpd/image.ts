// docker.io/library/httpd.

import type { TreeEntry } from "#sim/files.ts";
import { lateProgram } from "#sim/late-programs.ts";
import { digestOf } from "../fingerprint.ts";
import type { Image } from "../image.ts";
import { alpineTools, slimDebianTools } from "../tools.ts";
import { httpdProgramName, httpdRoot as root, httpdVersion as version } from "./release.ts";

const httpd = lateProgram(httpdProgramName);

const serverFiles: readonly (readonly [string, TreeEntry])[] = [
  ["/usr/local/bin/httpd-foreground", { type: "program", program: httpd, sizeBytes: 138 }],
  ["/usr/local/apache2/bin/httpd", { type: "program", program: httpd, sizeBytes: 2_400_000 }],
  [
    "/usr/local/apache2/conf/httpd.conf",
    { type: "file", content: 'ServerRoot "/usr/local/apache2"\nListen 80\nDocumentRoot "/usr/local/apache2/htdocs"\n' },
  ],
  [`${root}/index.html`, { type: "file", content: "<html><body><h1>It works!</h1></body></html>\n" }],
];
const families = {
  debian: { tags: ["2.4", version, "2", "latest"], sizeBytes: 45_165_293, tools: slimDebianTools },
  alpine: { tags: ["2.4-alpine", "alpine"], sizeBytes: 20_119_704, tools: alpineTools },
};

export const httpdImages: readonly Image[] = Object.entries(families).flatMap(([family, { tags, sizeBytes, tools }]) => {
  const files = new Map([...tools, ...serverFiles]);
  return tags.map((tag) => ({
    repository: "docker.io/library/httpd",
    tag,
    digest: digestOf(`httpd ${version} ${family}`),
    sizeBytes,
    config: {
      entrypoint: [],
      cmd: ["httpd-foreground"],
      env: {
        HTTPD_VERSION: version,
        HTTPD_PREFIX: "/usr/local/apache2",
        PATH: "/usr/local/apache2/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
      },
      workingDir: "/usr/local/apache2",
      user: "",
      exposedPorts: [80],
      stopSignal: "WINCH",
      labels: {},
    },
    files,
  }));
});
