// Forms as browsers and platforms post them, read for the routes of launches alone.

import type { FastifyInstance } from "fastify";

const mostFields = 100;

/** Of a field that comes twice the first counts nothing and neither does the second: the form is refused. */
export function readForms(app: FastifyInstance): void {
  app.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, (_request, body, done) => {
    try {
      done(null, fieldsOf(String(body)));
    } catch (error) {
      done(Object.assign(error as Error, { statusCode: 400 }));
    }
  });
}

function fieldsOf(text: string): Readonly<Record<string, string | readonly string[]>> {
  const form = new URLSearchParams(text);
  if ([...form.keys()].length > mostFields) throw new Error("the form has too many fields");
  const fields = new Map<string, string | readonly string[]>();
  for (const name of new Set(form.keys())) {
    const values = form.getAll(name);
    fields.set(name, values.length === 1 ? (values[0] ?? "") : values);
  }
  return Object.fromEntries(fields);
}
