// The start script of nginx's images.

import { encodeUtf8 } from "#sim/bytes.ts";
import type { Process, Program, Sys } from "#sim/program.ts";

const script = "/docker-entrypoint.sh:";
const listen = "10-listen-on-ipv6-by-default.sh: info:";

/** What its scripts start, and is over at once: find, sort, grep, sed and their subshells. */
const scriptProcesses = 27;

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

/** Prepares, then becomes the command. */
export function nginxEntrypoint(nginx: Program): Program {
  return function* (self: Process): Sys<number> {
    const command = self.argv[1];
    const isNginx = command === "nginx" || command === "nginx-debug";
    if (isNginx) {
      yield* self.write(1, entrypointLog);
      self.usePids(scriptProcesses);
      return yield* nginx(self);
    }
    if (command === undefined) return 0;
    return yield* self.exec({ run: command, argv: self.argv.slice(1) });
  };
}
