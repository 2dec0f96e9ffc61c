// docker.io/library/nginx.

import type { FileTree, TreeEntry } from "#sim/files.ts";
import { lateProgram } from "#sim/late-programs.ts";
import { digestOf } from "../fingerprint.ts";
import type { Image } from "../image.ts";
import { alpineTools, slimDebianTools, withCurl, withUser } from "../tools.ts";
import { defaultServer, olderWelcomePage, welcomePage } from "./pages.ts";
import { type NginxImageRelease, nginxPrograms, nginxReleases } from "./releases.ts";

const mainConfiguration = (level: string) => `
user  nginx;
worker_processes  auto;

error_log  /var/log/nginx/error.log ${level};
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

/** Today's images install curl (mainline/debian/Dockerfile, mainline/alpine/Dockerfile). */
function filesOf(release: NginxImageRelease, base: FileTree): FileTree {
  const { entrypoint, server } = nginxPrograms(release);
  const files = new Map<string, TreeEntry>([
    ...(release.logsNotices ? withCurl(base) : base),
    ["/usr/sbin/nginx", { type: "program", program: lateProgram(server), sizeBytes: 1_517_448 }],
    ["/etc/nginx/nginx.conf", { type: "file", content: mainConfiguration(release.logsNotices ? "notice" : "warn") }],
    ["/etc/nginx/mime.types", { type: "file", content: "\ntypes {\n    text/html  html htm shtml;\n}\n" }],
    ["/etc/nginx/conf.d/default.conf", { type: "file", content: defaultServer }],
    ["/usr/share/nginx/html/index.html", { type: "file", content: release.logsNotices ? welcomePage : olderWelcomePage }],
    ["/usr/share/nginx/html/50x.html", { type: "file", content: serverErrorPage }],
    ["/var/log/nginx/access.log", { type: "symlink", target: "/dev/stdout" }],
    ["/var/log/nginx/error.log", { type: "symlink", target: "/dev/stderr" }],
    ["/var/cache/nginx", { type: "directory" }],
  ]);
  if (release.logsNotices)
    files.set("/docker-entrypoint.sh", { type: "program", program: lateProgram(entrypoint), sizeBytes: 1_620 });
  return files;
}

const nginxGroup = "nginx:x:101:";

/** As `useradd` and `adduser` of the two families write it. */
const debianBase = withUser(slimDebianTools, "nginx:x:101:101:nginx user:/nonexistent:/bin/false", nginxGroup);
const alpineBase = withUser(alpineTools, "nginx:x:101:101:nginx:/var/cache/nginx:/sbin/nologin", nginxGroup);

export function nginxImagesOf(release: NginxImageRelease): readonly Image[] {
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
    ...release.tags.map(make("debian", release.sizeBytes, filesOf(release, debianBase))),
    ...release.alpineTags.map(make("alpine", release.alpineSizeBytes, filesOf(release, alpineBase))),
  ];
}

export const nginxImages: readonly Image[] = nginxReleases.flatMap(nginxImagesOf);
