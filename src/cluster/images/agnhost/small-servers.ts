// The smallest servers of agnhost: fake-gitserver, no-snat-test and the proxy before it.

import type { HttpResponder } from "#sim/http.ts";
import { isIpAddress } from "#sim/network/resolver.ts";
import type { Process, Sys } from "#sim/program.ts";
import { answerText, parametersOf, serve } from "../samples/go-server.ts";
import { answerNotFound, pathOf } from "./answers.ts";
import { command } from "./command.ts";
import { goQuoted } from "./go-words.ts";
import { call, GoNetError, joinHostPort } from "./http-client.ts";

export const fakeGitServer = command({
  flags: {},
  run: (self) => serve(self, 8000, (_request, _peer, responder) => answerText(self, responder, 200, "I am a fake git server")),
});

export const noSnatTest = command({
  flags: { port: "8080" },
  *run(self, { flags }) {
    for (const name of ["POD_IP", "NODE_IP"]) {
      const value = self.env.get(name);
      if (value !== undefined && isIpAddress(value)) continue;
      const reason =
        value === undefined ? "was not present in the environment" : `contained ${goQuoted(value)}, which is not an IP address`;
      yield* self.write(2, `${name} env var ${reason}\n`);
      return 1;
    }
    return yield* serve(self, Number(flags.port), ({ target, ...request }, peer, responder) => {
      const path = pathOf({ ...request, target });
      if (path === "/whoami") answerText(self, responder, 200, joinHostPort(peer.address.address, peer.address.port));
      else if (path === "/checknosnat") self.startThread(() => check(self, target, responder));
      else answerNotFound(self, responder);
    });
  },
});

/** Whether all of `ips` see this Pod's own address. */
function* check(self: Process, target: string, responder: HttpResponder): Sys<void> {
  const [pod, node] = [self.env.get("POD_IP"), self.env.get("NODE_IP")].map((each) => goQuoted(each ?? ""));
  const failures: string[] = [];
  for (const ip of (parametersOf(target).get("ips") ?? "").split(","))
    try {
      const seen = goQuoted((yield* call(self, `http://${ip}/whoami`)).body.split(":")[0] ?? "");
      if (seen === pod) continue;
      if (seen === node) failures.push(`Returned ip ${seen} != my Pod ip ${pod}, == my Node ip ${node} - SNAT`);
      else
        failures.push(
          `Returned ip ${seen} != my Pod ip ${pod} or my Node ip ${node} - SNAT to unexpected ip (possible SNAT through unexpected interface on the way into another node)`,
        );
    } catch (error) {
      if (!(error instanceof GoNetError)) throw error;
      failures.push(error.message);
    }
  answerText(self, responder, failures.length === 0 ? 200 : 500, failures.join(", "));
}

export const noSnatTestProxy = command({
  flags: { port: "31235" },
  run: (self, { flags }) =>
    serve(self, Number(flags.port), (request, _peer, responder) => {
      if (pathOf(request) === "/checknosnat") self.startThread(() => forward(self, request.target, responder));
      else answerNotFound(self, responder);
    }),
});

function* forward(self: Process, target: string, responder: HttpResponder): Sys<void> {
  const query = parametersOf(target);
  const url = `http://${query.get("target") ?? ""}/checknosnat?ips=${query.get("ips") ?? ""}`;
  try {
    const { status, body } = yield* call(self, url);
    answerText(self, responder, status, body);
  } catch (error) {
    if (!(error instanceof GoNetError)) throw error;
    answerText(self, responder, 500, `error querying ${goQuoted(url)}, err: ${error.message}`);
  }
}
