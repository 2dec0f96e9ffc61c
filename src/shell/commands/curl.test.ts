// curl without its start-up file, and by an interface of a name.

import { describe, expect, it } from "vitest";
import { runShell } from "../shell.test-kit.ts";

const combined = (script: string) => runShell(`exec 2>&1; ${script}`, "gnu").stdout;

describe("curl", () => {
  it("reads no .curlrc with -q, and has none to read", () => {
    expect(combined("curl -q -s --max-time 2 127.0.0.1:9; echo $?")).toBe("7\n");
  });

  it.each([
    ["127.0.0.1", /^curl: \(7\) /u],
    ["lo", /^curl: \(7\) /u],
    ["10.9.9.9", /^curl: \(45\) bind failed with errno 99: Cannot assign requested address\n$/u],
    ["eth7", /^curl: \(45\) Couldn't bind to 'eth7'\n$/u],
  ])("--interface %s", (name, told) => {
    expect(combined(`curl --interface ${name} http://127.0.0.1:9/`)).toMatch(told);
  });

  it("-v shows no request that was never sent", () => {
    expect(combined("curl -sv http://127.0.0.1:9/; echo $?")).toBe(
      "*   Trying 127.0.0.1:9...\n* Failed to connect to 127.0.0.1 port 9 after 0 ms: Could not connect to server\n* closing connection #0\n7\n",
    );
    expect(combined("curl -sv http://nowhere.invalid/; echo $?")).toBe("* Could not resolve host: nowhere.invalid\n6\n");
  });
});
