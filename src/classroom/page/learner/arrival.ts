// Where somebody goes who comes in by a learning platform: what its link leads to stands behind the `#` of the page for joining.

/** Path below a language's, of `in=<part>/<lesson>` or `in=exam/<id>`; "" of `in=`, which names none; undefined: nobody comes so. */
export function arrivalPath(fragment: string): string | undefined {
  const exam = /^in=exam\/([A-Za-z0-9_-]{1,40})$/.exec(fragment)?.[1];
  if (exam !== undefined) return `exam/#${exam}`;
  const place = /^in=((?:[a-z0-9-]+\/[a-z0-9-]+)?)$/.exec(fragment)?.[1];
  return place === undefined || place === "" ? place : `${place}/`;
}
