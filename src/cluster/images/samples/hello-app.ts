// gcr.io/google-samples/hello-app: says hello on $PORT. Its image has no shell.

import type { Program } from "#sim/program.ts";
import { answerText, logLine, serve } from "./go-server.ts";

export const helloApp: Program = (self) => {
  const port = Number(self.env.get("PORT") ?? "8080");
  self.declareUse({ memoryBytes: 3_145_728 });
  logLine(self, `Server listening on port ${port}`);
  return serve(self, port, (request, _peer, responder) => {
    const path = request.target.split("?")[0] as string;
    logLine(self, `Serving request: ${path}`);
    answerText(self, responder, 200, `Hello, world!\nVersion: 1.0.0\nHostname: ${self.hostname}\n`);
  });
};
