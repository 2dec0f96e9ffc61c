// agnhost logs-generator: lines as an API server would log them, evenly over a time.

import { encodeUtf8 } from "#sim/bytes.ts";
import { command } from "./command.ts";
import { durationText, klogHead } from "./go-words.ts";

const methods = ["GET", "POST", "PUT"] as const;
const namespaces = ["kube-system", "default", "ns"] as const;
/** k8s.io/apimachinery's rand.String: without vowels and look-alikes. */
const letters = "bcdfghjklmnpqrstvwxz2456789";

export const logsGenerator = command({
  flags: { "log-lines-total": 0, "run-duration": { ms: 0 } },
  letters: { t: "log-lines-total", d: "run-duration" },
  *run(self, { flags }) {
    const total = flags["log-lines-total"];
    const duration = flags["run-duration"].ms;
    if (total <= 0 || duration <= 0) {
      const text = total <= 0 ? `Invalid total number of lines: ${total}` : `Invalid duration: ${durationText(duration)}`;
      yield* self.write(2, `${klogHead(self, "F", `logs_generator.go:${total <= 0 ? 63 : 67}`)}${text}\n`);
      return 255;
    }
    const { random } = self;
    for (let id = 0; id < total; id += 1) {
      let name = "";
      for (let left = 3 + random.below(2); left > 0; left -= 1) name += letters[random.below(letters.length)];
      const path = `/api/v1/namespaces/${namespaces[random.below(3)]}/pods/${name}`;
      const line = `${id} ${methods[random.below(3)]} ${path} ${200 + random.below(400)}`;
      yield* self.write(2, encodeUtf8(`${klogHead(self, "I", "logs_generator.go:75")}${line}\n`));
      yield* self.sleep(duration / total);
    }
    return 0;
  },
});
