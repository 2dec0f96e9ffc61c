// docker.io/library/nginx.

import { encodeUtf8 } from "#sim/bytes.ts";
import type { FileTree, TreeEntry } from "#sim/files.ts";
import type { Process, Program, Sys } from "#sim/program.ts";
import { digestOf } from "../fingerprint.ts";
import type { Image } from "../image.ts";
import { alpineTools, slimDebianTools, withCurl } from "../tools.ts";
import { olderWelcomePage, welcomePage } from "./pages.ts";
import { type NginxRelease, nginxProgram } from "./program.ts";

interface Release extends NginxRelease {
  readonly tags: readonly string[];
  readonly alpineTags: readonly string[];
  readonly sizeBytes: number;
  readonly alpineSizeBytes: number;
}

const gcc12 = "gcc 12.2.0 (Debian 12.2.0-14+deb12u1)";
const releases: readonly Release[] = [
  {
    version: "1.7.9",
    tags: ["1.7.9"],
    alpineTags: [],
    compiler: "gcc 4.7.2",
    logsNotices: false,
    sizeBytes: 39_906_154,
    alpineSizeBytes: 0,
  },
  {
    version: "1.9.1",
    tags: ["1.9.1"],
    alpineTags: [],
    compiler: "gcc 4.9.2",
    logsNotices: false,
    sizeBytes: 52_928_117,
    alpineSizeBytes: 0,
  },
  {
    version: "1.14.2",
    tags: ["1.14.2", "1.14"],
    alpineTags: ["1.14.2-alpine", "1.14-alpine"],
    compiler: "gcc 6.3.0",
    logsNotices: false,
    sizeBytes: 44_710_204,
    alpineSizeBytes: 6_978_806,
  },
  {
    version: "1.16.1",
    tags: ["1.16.1", "1.16"],
    alpineTags: ["1.16.1-alpine", "1.16-alpine"],
    compiler: "gcc 8.3.0",
    logsNotices: false,
    sizeBytes: 51_030_575,
    alpineSizeBytes: 8_902_016,
  },
  {
    version: "1.25.5",
    tags: ["1.25", "1.25.5"],
    alpineTags: ["1.25-alpine", "1.25.5-alpine"],
    compiler: gcc12,
    logsNotices: true,
    sizeBytes: 71_005_258,
    alpineSizeBytes: 18_258_121,
  },
  {
    version: "1.27.5",
    tags: ["1.27", "1.27.5"],
    alpineTags: ["1.27-alpine", "1.27.5-alpine"],
    compiler: gcc12,
    logsNotices: true,
    sizeBytes: 72_404_038,
    alpineSizeBytes: 20_869_131,
  },
  {
    version: "1.28.0",
    tags: ["1.28", "1.28.0", "stable"],
    alpineTags: ["1.28-alpine", "1.28.0-alpine", "stable-alpine"],
    compiler: gcc12,
    logsNotices: true,
    sizeBytes: 72_231_194,
    alpineSizeBytes: 20_912_703,
  },
  {
    version: "1.29.4",
    tags: ["1.29", "1.29.4", "mainline", "latest"],
    alpineTags: ["1.29-alpine", "1.29.4-alpine", "mainline-alpine", "alpine"],
    compiler: "gcc 14.2.0 (Debian 14.2.0-19)",
    logsNotices: true,
    sizeBytes: 62_939_286,
    alpineSizeBytes: 21_703_445,
  },
];

const mainConfiguration = `
user  nginx;
worker_processes  auto;

error_log  /var/log/nginx/error.log notice;
pid        /run/nginx.pid;


events {
    worker_connections  1024;
}


http {
    include       /etc/nginx/mime.types;
    default_type  application/octet-stream;

    log_format  main  '$remote_addr - $remote_user [$time_local] "$request" '
                      '$status $body_bytes_sent "$http_referer" '
                      '"$http_user_agent" "$http_x_forwarded_for"';

    access_log  /var/log/nginx/access.log  main;

    sendfile        on;
    #tcp_nopush     on;

    keepalive_timeout  65;

    #gzip  on;

    include /etc/nginx/conf.d/*.conf;
}
`;

const defaultServer = `server {
    listen       80;
    listen  [::]:80;
    server_name  localhost;

    #access_log  /var/log/nginx/host.access.log  main;

    location / {
        root   /usr/share/nginx/html;
        index  index.html index.htm;
    }

    #error_page  404              /404.html;

    # redirect server error pages to the static page /50x.html
    #
    error_page   500 502 503 504  /50x.html;
    location = /50x.html {
        root   /usr/share/nginx/html;
    }
}
`;

const serverErrorPage = `<!DOCTYPE html>
<html>
<head>
<title>Error</title>
</head>
<body>
<h1>An error occurred.</h1>
<p>Sorry, the page you are looking for is currently unavailable.<br/>
Please try again later.</p>
</body>
</html>
`;

const script = "/docker-entrypoint.sh:";
const listen = "10-listen-on-ipv6-by-default.sh: info:";

/** The same for every container: encoded once. */
const entrypointLog = encodeUtf8(`${script} /docker-entrypoint.d/ is not empty, will attempt to perform configuration
${script} Looking for shell scripts in /docker-entrypoint.d/
${script} Launching /docker-entrypoint.d/10-listen-on-ipv6-by-default.sh
${listen} Getting the checksum of /etc/nginx/conf.d/default.conf
${listen} Enabled listen on IPv6 in /etc/nginx/conf.d/default.conf
${script} Sourcing /docker-entrypoint.d/15-local-resolvers.envsh
${script} Launching /docker-entrypoint.d/20-envsubst-on-templates.sh
${script} Launching /docker-entrypoint.d/30-tune-worker-processes.sh
${script} Configuration complete; ready for start up
`);

/** The image's start script: prepares, then becomes the command. */
function entrypoint(nginx: Program): Program {
  return function* (self: Process): Sys<number> {
    const command = self.argv[1];
    const isNginx = command === "nginx" || command === "nginx-debug";
    if (isNginx) {
      yield* self.write(1, entrypointLog);
      return yield* nginx(self);
    }
    if (command === undefined) return 0;
    const pid = self.spawn({ run: command, argv: self.argv.slice(1) });
    const status = yield* self.wait(pid);
    return status?.code ?? 0;
  };
}

/** Today's images install curl (mainline/debian/Dockerfile, mainline/alpine/Dockerfile). */
function filesOf(release: Release, base: FileTree): FileTree {
  const program = nginxProgram(release);
  const files = new Map<string, TreeEntry>([
    ...(release.logsNotices ? withCurl(base) : base),
    ["/usr/sbin/nginx", { type: "program", program, sizeBytes: 1_517_448 }],
    ["/etc/nginx/nginx.conf", { type: "file", content: mainConfiguration }],
    ["/etc/nginx/mime.types", { type: "file", content: "\ntypes {\n    text/html  html htm shtml;\n}\n" }],
    ["/etc/nginx/conf.d/default.conf", { type: "file", content: defaultServer }],
    ["/usr/share/nginx/html/index.html", { type: "file", content: release.logsNotices ? welcomePage : olderWelcomePage }],
    ["/usr/share/nginx/html/50x.html", { type: "file", content: serverErrorPage }],
    ["/var/log/nginx/access.log", { type: "symlink", target: "/dev/stdout" }],
    ["/var/log/nginx/error.log", { type: "symlink", target: "/dev/stderr" }],
    ["/var/cache/nginx", { type: "directory" }],
  ]);
  if (release.logsNotices) files.set("/docker-entrypoint.sh", { type: "program", program: entrypoint(program), sizeBytes: 1_620 });
  return files;
}

function imagesOf(release: Release): readonly Image[] {
  const isModern = release.logsNotices;
  const make =
    (family: string, sizeBytes: number, files: FileTree) =>
    (tag: string): Image => ({
      repository: "docker.io/library/nginx",
      tag,
      digest: digestOf(`nginx ${release.version} ${family}`),
      sizeBytes,
      config: {
        entrypoint: isModern ? ["/docker-entrypoint.sh"] : [],
        cmd: ["nginx", "-g", "daemon off;"],
        env: { NGINX_VERSION: release.version, PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" },
        workingDir: "/",
        user: "",
        exposedPorts: [80],
        stopSignal: isModern ? "QUIT" : "TERM",
        labels: { maintainer: "NGINX Docker Maintainers <docker-maint@nginx.com>" },
      },
      files,
    });
  return [
    ...release.tags.map(make("debian", release.sizeBytes, filesOf(release, slimDebianTools))),
    ...release.alpineTags.map(make("alpine", release.alpineSizeBytes, filesOf(release, alpineTools))),
  ];
}

export const nginxImages: readonly Image[] = releases.flatMap(imagesOf);
