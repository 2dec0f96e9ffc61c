// The output below a prediction waits until the reader has predicted or run the command. Which outputs these are is read off the rendered
// lesson: the first one that follows a prediction and its command, before the next heading.

const landmark = /<h[23][\s>]|class="predict"|data-block="run"|data-block="output"/g;

/** Marks the rendered predictions, their commands and the outputs that wait for them with one number each: `data-prediction`, `data-reveals`,
 * `data-awaits`. Nothing is hidden here: style and script do that, where there is a script to show it again.
 * @param note HTML below the caption of an output that waits. */
export function markAwaitedOutputs(html: string, note: string): string {
  let number = 0;
  let commands: number[] = [];
  let prediction: number | undefined;
  const marks = new Map<number, string>();
  for (const { 0: found, index } of html.matchAll(landmark)) {
    if (found === 'class="predict"') {
      prediction = index;
      commands = [];
    } else if (found === 'data-block="run"') commands.push(index);
    else if (found === 'data-block="output"' && prediction !== undefined && commands.length > 0) {
      number += 1;
      marks.set(prediction, `data-prediction="${number}" `);
      for (const command of commands) marks.set(command, `data-reveals="${number}" `);
      marks.set(index, `data-awaits="${number}" `);
      prediction = undefined;
    } else prediction = undefined;
  }
  const marked = html.replace(landmark, (found, index: number) => (marks.get(index) ?? "") + found);
  return marked.replace(/data-awaits=[\s\S]*?<\/figcaption>/g, (head) => head + note);
}
