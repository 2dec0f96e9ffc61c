// The lessons as Astro's collection. Writers' errors are told by src/course/frontmatter.ts before this schema runs.

import { defineCollection } from "astro:content";
import { glob } from "astro/loaders";
import { z } from "astro/zod";

const lessons = defineCollection({
  loader: glob({ pattern: "**/*.mdx", base: "./content/lessons", generateId: ({ entry }) => entry.replace(/\.mdx$/, "") }),
  schema: z.strictObject({
    title: z.string().min(1).max(80),
    summary: z.string().min(1).max(240),
    lab: z.string().optional(),
    minutes: z.int().min(1).max(90),
  }),
});

/** Pages that are neither lessons nor lists: "about", "hosting". */
const pages = defineCollection({
  loader: glob({ pattern: "**/*.mdx", base: "./content/pages", generateId: ({ entry }) => entry.replace(/\.mdx$/, "") }),
  schema: z.strictObject({ title: z.string().min(1), summary: z.string().min(1) }),
});

export const collections = { lessons, pages };
