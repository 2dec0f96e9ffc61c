// Stops the build before Astro reads the lessons, so that a writer sees all mistakes at once, with path and line.

import type { AstroIntegration } from "astro";
import { lessonProblems } from "./check-lessons.ts";
import { readCurriculum } from "./curriculum.ts";

export function checkContent(): AstroIntegration {
  return {
    name: "pilothouse-content",
    hooks: {
      "astro:config:done": () => {
        const problems = lessonProblems(readCurriculum());
        if (problems.length > 0) throw new Error(`Lessons need mending:\n  ${problems.join("\n  ")}`);
      },
    },
  };
}
