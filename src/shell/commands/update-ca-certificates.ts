// update-ca-certificates: gathers the authorities of /usr/local/share/ca-certificates into the system's bundle, with a link to
// each in /etc/ssl/certs, as Debian's script does. The bundle has no public authorities: nothing leads out of the world.

import { SysError } from "#sim/errors.ts";
import type { Process, Program } from "#sim/program.ts";
import { readCertificates } from "#x509/certificate.ts";

const source = "/usr/local/share/ca-certificates";
const directory = "/etc/ssl/certs";
const bundle = `${directory}/ca-certificates.crt`;

export const updateCaCertificates: Program = function* (self) {
  const fresh = self.argv.includes("--fresh") || self.argv.includes("-f");
  yield* self.write(
    1,
    `${fresh ? "Clearing symlinks in /etc/ssl/certs...\ndone.\n" : ""}Updating certificates in ${directory}...\n`,
  );
  let added = 0;
  let removed = 0;
  try {
    makeDirectories(self, directory);
    if (fresh) for (const [name] of links(self)) self.unlink(`${directory}/${name}`);
    const found = certificateFiles(self);
    const before = new Map(links(self));
    let text = "";
    for (const [name, path] of found) {
      const content = self.readText(path);
      if (readCertificates(content).length === 0) {
        yield* self.write(2, `W: ${path} does not contain exactly one certificate or CRL: skipping\n`);
        continue;
      }
      text += content.endsWith("\n") ? content : `${content}\n`;
      if (before.get(`${name}.pem`) === path) continue;
      if (before.has(`${name}.pem`)) self.unlink(`${directory}/${name}.pem`);
      self.symlink(path, `${directory}/${name}.pem`);
      added += 1;
    }
    for (const name of before.keys()) {
      if (found.has(name.slice(0, -".pem".length))) continue;
      self.unlink(`${directory}/${name}`);
      removed += 1;
    }
    self.writeFile(bundle, text);
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    yield* self.write(2, `/usr/sbin/update-ca-certificates: cannot create ${bundle}: ${error.message}\n`);
    return 1;
  }
  yield* self.write(1, `${added} added, ${removed} removed; done.\nRunning hooks in /etc/ca-certificates/update.d...\ndone.\n`);
  return 0;
};

/** Name without its ending → path. */
function certificateFiles(self: Process): ReadonlyMap<string, string> {
  const names = entries(self, source).filter((name) => name.endsWith(".crt"));
  return new Map(names.map((name) => [name.slice(0, -".crt".length), `${source}/${name}`]));
}

/** The links that this program has made: name and target. */
function links(self: Process): readonly (readonly [string, string])[] {
  return entries(self, directory).flatMap((name) => {
    const path = `${directory}/${name}`;
    if (!name.endsWith(".pem") || self.lstat(path).type !== "symlink") return [];
    const target = self.readlink(path);
    return target.startsWith(`${source}/`) ? [[name, target] as const] : [];
  });
}

function entries(self: Process, path: string): readonly string[] {
  try {
    return self.readdir(path);
  } catch (error) {
    if (error instanceof SysError) return [];
    throw error;
  }
}

function makeDirectories(self: Process, path: string): void {
  let made = "";
  for (const name of path.split("/").slice(1)) {
    made += `/${name}`;
    try {
      self.mkdir(made);
    } catch (error) {
      if (!(error instanceof SysError) || error.code !== "EEXIST") throw error;
    }
  }
}
