// docker.io/library/wordpress, the variants with Apache. Its programs come late (`../server-programs.ts`).

import type { FileTree, TreeEntry } from "#sim/files.ts";
import { lateProgram } from "#sim/late-programs.ts";
import { digestOf } from "../fingerprint.ts";
import type { Image } from "../image.ts";
import { slimDebianTools, withCurl } from "../tools.ts";
import { type WordpressRelease, wordpressProgramName, wordpressReleases } from "./releases.ts";

const base = withCurl(slimDebianTools);

function filesOf({ version }: WordpressRelease): FileTree {
  const program: TreeEntry = { type: "program", program: lateProgram(wordpressProgramName(version)), sizeBytes: 4_400 };
  const page = (text: string): TreeEntry => ({ type: "file", content: text, uid: 33, gid: 33 });
  return new Map<string, TreeEntry>([
    ...base,
    ["/usr/local/bin/docker-entrypoint.sh", program],
    ["/usr/local/bin/apache2-foreground", program],
    ["/usr/src/wordpress/index.php", page("<?php\n")],
    ["/usr/src/wordpress/license.txt", page("WordPress is released under the GPL.\n")],
    [
      "/usr/src/wordpress/readme.html",
      page(`<!DOCTYPE html>\n<title>WordPress &rsaquo; ReadMe</title>\n<h1>Version ${version}</h1>\n`),
    ],
    ["/usr/src/wordpress/wp-config-docker.php", page("<?php\n")],
    ["/usr/src/wordpress/wp-admin/install.php", page("<?php\n")],
    ["/usr/src/wordpress/wp-content/index.php", page("<?php\n")],
    ["/usr/src/wordpress/wp-includes/version.php", page(`<?php\n$wp_version = '${version}';\n`)],
    ["/usr/src/wordpress/wp-login.php", page("<?php\n")],
    ["/var/www/html", { type: "directory", permissions: 0o1777, uid: 33, gid: 33 }],
  ]);
}

export const wordpressImages: readonly Image[] = wordpressReleases.flatMap((release) => {
  const files = filesOf(release);
  return release.tags.map((tag) => ({
    repository: "docker.io/library/wordpress",
    tag,
    digest: digestOf(`wordpress ${release.version} apache`),
    sizeBytes: release.sizeBytes,
    config: {
      entrypoint: ["docker-entrypoint.sh"],
      cmd: ["apache2-foreground"],
      env: {
        PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        PHP_VERSION: release.php,
        APACHE_CONFDIR: "/etc/apache2",
        APACHE_ENVVARS: "/etc/apache2/envvars",
      },
      workingDir: "/var/www/html",
      user: "",
      exposedPorts: [80],
      stopSignal: "WINCH",
      labels: {},
    },
    files,
  }));
});
