// The start script of nginx's images.

import type { Process, Program, Sys } from "#sim/program.ts";
import { logLater } from "../log-line.ts";
import { defaultServer } from "./pages.ts";

const script = "/docker-entrypoint.sh:";
const listen = "10-listen-on-ipv6-by-default.sh: info:";

/** What its scripts start, and is over at once: find, sort, grep, sed and their subshells. */
const scriptProcesses = 27;

const serverFile = "/etc/nginx/conf.d/default.conf";

/** What the script says that makes the image's own server listen on IPv6 too. */
function aboutIpv6(self: Process): readonly string[] {
  if (!self.exists(serverFile)) return [`${serverFile} is not a file or does not exist`];
  try {
    self.utimes(serverFile, self.nowMs);
  } catch {
    return [`can not modify ${serverFile} (read-only file system?)`];
  }
  const first = `Getting the checksum of ${serverFile}`;
  if (self.readText(serverFile) !== defaultServer) return [first, `${serverFile} differs from the packaged version`];
  return [first, `Enabled listen on IPv6 in ${serverFile}`];
}

function logOf(aboutListening: readonly string[]): string {
  return `${script} /docker-entrypoint.d/ is not empty, will attempt to perform configuration
${script} Looking for shell scripts in /docker-entrypoint.d/
${script} Launching /docker-entrypoint.d/10-listen-on-ipv6-by-default.sh
${aboutListening.map((line) => `${listen} ${line}`).join("\n")}
${script} Sourcing /docker-entrypoint.d/15-local-resolvers.envsh
${script} Launching /docker-entrypoint.d/20-envsubst-on-templates.sh
${script} Launching /docker-entrypoint.d/30-tune-worker-processes.sh
${script} Configuration complete; ready for start up
`;
}

/** Prepares, then becomes the command. */
export function nginxEntrypoint(nginx: Program): Program {
  return function* (self: Process): Sys<number> {
    const command = self.argv[1];
    const isNginx = command === "nginx" || command === "nginx-debug";
    if (isNginx) {
      const aboutListening = aboutIpv6(self);
      logLater(self, 1, () => logOf(aboutListening));
      self.usePids(scriptProcesses);
      return yield* nginx(self);
    }
    if (command === undefined) return 0;
    return yield* self.exec({ run: command, argv: self.argv.slice(1) });
  };
}
