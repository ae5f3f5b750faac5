/** What is known of an event before it is parsed: it is taken out of its JSON, and given back while it is normalised. */
import type { ProjectSettings } from '../types.ts';
import { type PartName, PartTaking } from './known-parts.ts';
import { StackTaking } from './known-stacks.ts';

/** One look for all: each by itself would take as long. */
const openings = /"(?:frames":\[|(modules|sdk|debug_meta)":\{)/g;
const backslash = 92;

export class Taking {
  readonly parts: PartTaking;
  readonly stacks: StackTaking | undefined;

  /** `ownStacks`: the event's frames may be changed, so no other event may have them. */
  constructor(settings: ProjectSettings, ownStacks: boolean) {
    this.parts = new PartTaking(settings);
    this.stacks = ownStacks ? undefined : new StackTaking(settings);
  }

  /** As `JSON.parse`. */
  parse(text: string): unknown {
    let rest = '';
    let done = 0;
    openings.lastIndex = 0;
    for (let found = openings.exec(text); found; found = openings.exec(text)) {
      // A quote behind a backslash is within a text.
      if (text.charCodeAt(found.index - 1) === backslash) continue;
      const start = openings.lastIndex - 1;
      const name = found[1] as PartName | undefined;
      const cut = name === undefined ? this.stacks?.takeAt(text, start) : this.parts.takeAt(name, text, start);
      if (!cut) continue;
      rest += text.slice(done, start) + JSON.stringify(cut.mark);
      openings.lastIndex = done = cut.end;
    }
    return JSON.parse(rest + text.slice(done)) as unknown;
  }

  /** What was taken may stand where it does not belong: then the event is to be read without taking any. */
  get allPlaced(): boolean {
    return this.parts.allPlaced && (this.stacks?.allPlaced ?? true);
  }
}
