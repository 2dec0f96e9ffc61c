// agnhost grpc-health-checking: gRPC's health protocol, whose answer is set over HTTP.

import { failedReply, healthCheckReply, requestedService } from "#sim/grpc.ts";
import type { HttpResponder } from "#sim/http.ts";
import { answerText, listen, logLine, serve } from "../samples/go-server.ts";
import { answerNotFound, pathOf } from "./answers.ts";
import { command } from "./command.ts";
import { durationText, goTime } from "./go-words.ts";
import { loadKeyPair } from "./key-pair.ts";

const notFound = 5;

export const grpcHealthChecking = command({
  flags: {
    port: 5000,
    "http-port": 8080,
    "delay-unhealthy-sec": -1,
    service: "",
    "tls-cert-file": "",
    "tls-private-key-file": "",
  },
  *run(self, { flags }) {
    const startedMs = self.nowMs;
    const delaySeconds = flags["delay-unhealthy-sec"];
    if ((flags["tls-cert-file"] === "") !== (flags["tls-private-key-file"] === "")) {
      logLine(self, "Both --tls-cert-file and --tls-private-key-file must be set");
      return 1;
    }
    let isHealthy: boolean | undefined;
    const told = (healthy: boolean, responder: HttpResponder): void => {
      logLine(self, `Mark as ${healthy ? "healthy" : "unhealthy"}`);
      isHealthy = healthy;
      answerText(self, responder, 200, durationText(self.nowMs - startedMs));
    };
    logLine(self, `Http server starting to listen on :${flags["http-port"]}`);
    const controlled = listen(self, flags["http-port"], (request, _peer, responder) => {
      const path = pathOf(request);
      if (path === "/make-not-serving") told(false, responder);
      else if (path === "/make-serving") told(true, responder);
      else answerNotFound(self, responder);
    });
    if (!controlled) return 1;
    const pair = loadKeyPair(self, flags["tls-cert-file"], flags["tls-private-key-file"]);
    if (typeof pair === "string") {
      logLine(self, `Failed to generate credentials ${pair}`);
      return 1;
    }
    logLine(self, `gRPC server starting to listen on :${flags.port}`);
    return yield* serve(
      self,
      flags.port,
      (request, _peer, responder) => {
        const service = requestedService(request);
        if (service === undefined) {
          answerText(self, responder, 415, "invalid gRPC request content-type\n");
          return;
        }
        logLine(self, `Serving the Check request for health check, started at ${goTime(startedMs, startedMs)}`);
        const isLate = delaySeconds >= 0 && (self.nowMs - startedMs) / 1000 >= delaySeconds;
        const { headers, body } =
          service === flags.service
            ? healthCheckReply(isHealthy === false || isLate ? "NOT_SERVING" : "SERVING")
            : failedReply(notFound, "unknown service");
        responder.reply(200, headers, body);
      },
      pair === undefined ? {} : { tls: pair },
    );
  },
});
