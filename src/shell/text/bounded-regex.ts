// Regular expressions whose matching is bounded: as JavaScript's own, but where those might go back and forth for ever (nested or
// many repetitions over a long text) a matcher that visits each place of the pattern at each place of the text once.

import { SysError } from "#sim/errors.ts";
import { compileRegex, type RegexProgram } from "./regex-program.ts";

/** JavaScript's matcher is used where it takes fewer steps than this at worst. */
const nativeSteps = 1_000_000;
/** And the other one gives up beyond. */
const maximumSteps = 400_000;
/** Places of the pattern and the text that are kept in mind. */
const maximumPlaces = 8_000_000;

export class BoundedRegExp extends RegExp {
  #program: RegexProgram | undefined;

  /** Throws SysError ENOMEM when it would take too long. */
  override exec(text: string): RegExpExecArray | null {
    this.#program ??= compileRegex(this.source, this.flags);
    const program = this.#program;
    if (worstCase(program, text.length) <= nativeSteps) return super.exec(text);
    const usesIndex = this.global || this.sticky;
    const from = usesIndex ? this.lastIndex : 0;
    const slots = from > text.length ? undefined : match(program, text, from, this.sticky, this.unicode);
    if (slots === undefined) {
      if (usesIndex) this.lastIndex = 0;
      return null;
    }
    if (usesIndex) this.lastIndex = slots[1] as number;
    const result = resultOf(program, text, slots);
    return this.hasIndices ? Object.assign(result, { indices: indicesOf(program, slots) }) : result;
  }
}

function worstCase({ repetitions, nested }: RegexProgram, length: number): number {
  if (repetitions === 0) return 0;
  if (nested && length > 16) return Number.POSITIVE_INFINITY;
  let steps = length;
  for (let count = 0; count < repetitions && steps <= nativeSteps; count += 1) steps *= length;
  return steps;
}

function resultOf(program: RegexProgram, text: string, slots: readonly number[]): RegExpExecArray {
  const groups: (string | undefined)[] = [];
  for (let slot = 0; slot < slots.length; slot += 2) {
    const [start, end] = [slots[slot] as number, slots[slot + 1] as number];
    groups.push(start < 0 || end < 0 ? undefined : text.slice(start, end));
  }
  const named: { [name: string]: string } = {};
  for (const [name, group] of program.names) named[name] = groups[group] as string;
  return Object.assign(groups as string[], {
    index: slots[0] as number,
    input: text,
    groups: program.names.size === 0 ? undefined : named,
  }) as RegExpExecArray;
}

function indicesOf({ names }: RegexProgram, slots: readonly number[]): RegExpIndicesArray {
  const pairs: ([number, number] | undefined)[] = [];
  for (let slot = 0; slot < slots.length; slot += 2) {
    const [start, end] = [slots[slot] as number, slots[slot + 1] as number];
    pairs.push(start < 0 || end < 0 ? undefined : [start, end]);
  }
  const groups = Object.fromEntries([...names].map(([name, group]) => [name, pairs[group]]));
  return Object.assign(pairs, { groups: names.size === 0 ? undefined : groups }) as unknown as RegExpIndicesArray;
}

/** Where the groups of the first match begin and end; undefined without a match. */
function match(
  program: RegexProgram,
  text: string,
  from: number,
  sticky: boolean,
  unicode: boolean,
): readonly number[] | undefined {
  const { steps, slotCount } = program;
  const places = steps.length * (text.length + 1);
  if (!program.remembers && places > maximumPlaces) throw new SysError("ENOMEM");
  const seen = program.remembers ? undefined : new Uint8Array(places);
  const slots: number[] = new Array(slotCount).fill(-1);
  /** What to go back to: a place of the pattern and of the text, or a slot to restore (negative). */
  const stack: number[] = [];
  let count = 0;
  for (let start = from; start <= text.length; start += 1) {
    slots.fill(-1);
    slots[0] = start;
    stack.push(0, start);
    while (stack.length > 0) {
      let at = stack.pop() as number;
      let pc = stack.pop() as number;
      if (pc < 0) {
        slots[-pc - 1] = at;
        continue;
      }
      for (;;) {
        count += 1;
        if (count > maximumSteps) throw new SysError("ENOMEM");
        if (seen !== undefined) {
          const place = pc * (text.length + 1) + at;
          if (seen[place] === 1) break;
          seen[place] = 1;
        }
        const step = steps[pc] as RegexProgram["steps"][number];
        if (step.kind === "end") {
          slots[1] = at;
          return slots;
        }
        if (step.kind === "character") {
          if (at >= text.length) break;
          const character = unicode ? String.fromCodePoint(text.codePointAt(at) as number) : (text[at] as string);
          if (!step.accepts(character)) break;
          at += character.length;
          pc += 1;
        } else if (step.kind === "split") {
          stack.push(step.second, at);
          pc = step.first;
        } else if (step.kind === "jump") pc = step.to;
        else if (step.kind === "save") {
          stack.push(-step.slot - 1, slots[step.slot] as number);
          slots[step.slot] = at;
          pc += 1;
        } else if (step.kind === "assertion") {
          step.regex.lastIndex = at;
          if (!step.regex.test(text)) break;
          pc += 1;
        } else {
          const [begin, end] = [slots[step.group * 2] as number, slots[step.group * 2 + 1] as number];
          const again = begin < 0 || end < 0 ? "" : text.slice(begin, end);
          if (!text.startsWith(again, at)) break;
          at += again.length;
          pc += 1;
        }
      }
    }
    if (sticky) return undefined;
  }
  return undefined;
}
