import { describe, expect, it } from "vitest";
import type { Fault } from "./faults.ts";
import { Simulation } from "./simulation.ts";

function broken(simulation: Simulation, atMs: number): void {
  simulation.at(atMs, () => {
    throw new TypeError(`nobody expected this at ${atMs}`);
  });
}

describe("faults", () => {
  it("are thrown on while nobody contains them", () => {
    const simulation = new Simulation({ startMs: 0, seed: 1 });
    broken(simulation, 5);
    expect(() => simulation.advance(10)).toThrow("nobody expected this at 5");
  });

  it("end an event and not the world, and are told with their room and time", () => {
    const simulation = new Simulation({ startMs: 0, seed: 1 });
    const told: Fault[] = [];
    simulation.faults.contain((fault) => told.push(fault));
    broken(simulation, 5);
    let went = 0;
    simulation.at(6, () => {
      went = simulation.nowMs;
    });
    simulation.advance(10);
    expect(went).toBe(6);
    expect(told).toMatchObject([{ timeMs: 5, room: "simulation", subject: "an event" }]);
  });

  it("are counted, and told three times where they repeat", () => {
    const simulation = new Simulation({ startMs: 0, seed: 1 });
    let told = 0;
    simulation.faults.contain(() => {
      told += 1;
    });
    for (let index = 0; index < 50; index += 1) simulation.faults.note("room", `try ${index}`, new Error("again"));
    simulation.faults.note("room", "text", "not an Error");
    expect([told, simulation.faults.count]).toEqual([4, 51]);
  });

  it("reach the world without the engine's words, which the host alone is told", () => {
    const { faults } = new Simulation({ startMs: 0, seed: 1 });
    const told: string[] = [];
    faults.contain(({ error }) => told.push(error.message));
    const noted = [new TypeError("x is not a function"), new Error("our own words")].map((thrown) =>
      faults.note("room", "text", thrown),
    );
    expect(told).toEqual(["x is not a function", "our own words"]);
    expect(noted.map(({ message }) => message)).toEqual(["internal error of the simulator", "our own words"]);
  });
});
