import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { concatBytes } from "../bytes.ts";
import { machine } from "../kernel.test-kit.ts";
import type { Program } from "../program.ts";

describe("pipes", () => {
  it("deliver all bytes in order, whatever the sizes of writes and reads", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 100_000 }), { maxLength: 12 }),
        fc.integer({ min: 500, max: 90_000 }),
        (writes, readSize) => {
          const { run } = machine();
          let next = 0;
          const pieces = writes.map((length) => Uint8Array.from({ length }, () => next++ % 251));
          const received: Uint8Array[] = [];
          const program: Program = function* (self) {
            const [read, write] = self.pipe();
            const writer: Program = function* (child) {
              for (const piece of pieces) yield* child.write(1, piece);
              return 0;
            };
            self.spawn({ run: writer, argv: ["writer"], fds: new Map([[1, write]]) });
            self.close(write);
            for (;;) {
              const bytes = yield* self.read(read, readSize);
              if (bytes.length === 0) return 0;
              expect(bytes.length).toBeLessThanOrEqual(readSize);
              received.push(bytes.slice());
            }
          };
          expect(run(program).code).toBe(0);
          expect(Buffer.compare(concatBytes(received), concatBytes(pieces))).toBe(0);
        },
      ),
      { numRuns: 30 },
    );
  });

  it("let poll wait for input, for its end, and for time to run out", () => {
    const { run } = machine();
    const result = run(function* (self) {
      const [read, write] = self.pipe();
      yield* self.write(1, `${(yield* self.poll([read], 100)).length} `);
      self.spawn({
        run: function* (child) {
          yield* child.sleep(50);
          yield* child.write(1, "x");
          return 0;
        },
        argv: ["later"],
        fds: new Map([[1, write]]),
      });
      self.close(write);
      const before = self.nowMs;
      yield* self.write(1, `${(yield* self.poll([read])).length} after ${self.nowMs - before}`);
      return 0;
    });
    expect(result.stdout).toBe("0 1 after 50");
  });
});
