import { describe, expect, it } from "vitest";
import { callPlugin } from "#cluster/apiserver/at-rest/kms-service.ts";
import { encodeUtf8 } from "#sim/bytes.ts";
import type { FileTree, TreeEntry } from "#sim/files.ts";
import type { Image } from "../image.ts";
import { imageMachine } from "../image-machine.test-kit.ts";
import { suiteImages } from "../suite-images.ts";

const program = "/usr/local/bin/mock-kms-plugin";
const key = (byte: number): TreeEntry => ({ type: "file", content: new Uint8Array(32).fill(byte), permissions: 0o600 });
const keys = new Map([
  ["/var/lib/kms/one", key(1)],
  ["/var/lib/kms/two", key(2)],
]);
const machine = (files: FileTree = new Map()) =>
  imageMachine(suiteImages.find((each) => each.repository.endsWith("/mock-kms-plugin")) as Image, files);

describe("the KMS plugin", () => {
  it.each([
    [["-timeout=5s"], "flag provided but not defined: -timeout\nUsage of "],
    [["-key-id"], "flag needs an argument: -key-id\nUsage of "],
    [["-listen-addr=tcp://:1"], 'panic: failed to parse endpoint: unsupported scheme "tcp" for remote KMS provider\n'],
    [[], "panic: failed to create remote service: key not found\n"],
  ])("%j", (words, stderr) => {
    const ran = machine().runProgram(program, ...words);
    expect(ran.code).toBe(2);
    expect(ran.stderr.slice(0, stderr.length)).toBe(stderr);
  });

  it("encrypts by the key that it is told to use, decrypts by any, and takes its socket along", () => {
    const { run, serve } = machine(keys);
    const handle = serve(program, "-key-id=one");
    run(function* (self) {
      const secret = callPlugin(self, "/tmp/kms.socket", (plugin) => plugin.encrypt("", encodeUtf8("seed")));
      expect(secret.keyId).toBe("one");
      expect(callPlugin(self, "/tmp/kms.socket", (plugin) => plugin.decrypt("", secret))).toEqual(encodeUtf8("seed"));
      const refusal = (keyId: string) => () =>
        callPlugin(self, "/tmp/kms.socket", (plugin) => plugin.decrypt("", { ...secret, keyId }));
      expect(refusal("two")).toThrow("cipher: message authentication failed");
      expect(refusal("three")).toThrow("rpc error: code = Unknown desc = key not found");
      expect(refusal("../one")).toThrow("invalid keyID");
      self.kill(self.processes().find(({ name }) => name === "mock-kms-plugin")?.pid ?? 0, "TERM");
      yield* self.sleep(100);
      expect(self.exists("/tmp/kms.socket")).toBe(false);
      return 0;
    });
    expect(handle.exit?.code).toBe(0);
  });
});
