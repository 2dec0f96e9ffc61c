import { expect, it } from "vitest";
import { revisionData } from "./revision-data.ts";

it("a revision's data is a patch with sorted keys, as clients compare its bytes", () => {
  const template = {
    spec: { restartPolicy: "Always", containers: [{ name: "c", image: "nginx", env: [{ value: "1", name: "E" }] }] },
    metadata: { labels: { b: "1", a: "2" } },
  };
  expect(JSON.stringify(revisionData(template))).toBe(
    '{"spec":{"template":{"$patch":"replace","metadata":{"labels":{"a":"2","b":"1"}},"spec":{"containers":[{"env":[{"name":"E","value":"1"}],"image":"nginx","name":"c"}],"restartPolicy":"Always"}}}}',
  );
});
