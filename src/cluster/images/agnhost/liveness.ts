// agnhost liveness: healthy for ten seconds.

import { answerText, parametersOf, serve } from "../samples/go-server.ts";
import { answerNotFound, pathOf, redirect } from "./answers.ts";
import { command } from "./command.ts";
import { durationText } from "./go-words.ts";

const aliveSeconds = 10;

export const liveness = command({
  flags: {},
  run(self) {
    const startedMs = self.nowMs;
    return serve(self, 8080, (request, _peer, responder) => {
      const ms = self.nowMs - startedMs;
      const path = pathOf(request);
      if (path === "/started") answerText(self, responder, 200, durationText(ms));
      else if (path === "/redirect") redirect(self, request, responder, parametersOf(request.target).get("loc") ?? "", 302);
      else if (path !== "/healthz") answerNotFound(self, responder);
      else if (ms / 1000 > aliveSeconds) answerText(self, responder, 500, `error: ${ms / 1000}`);
      else answerText(self, responder, 200, "ok");
    });
  },
});
