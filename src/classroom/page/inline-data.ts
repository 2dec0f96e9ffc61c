// Data written into a page.

/** JSON that can stand in a `<script>`: nothing in it ends the element. */
export function inlineJson(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}
