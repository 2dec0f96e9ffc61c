// What an image is called.

/** All names of an image by its digest reference. */
export type ImageNames = (reference: string) => readonly string[];
