/** The stacks of an event as text. */
import { chainOf } from '../event/chain.ts';
import type { ShownException } from '../event/entries.ts';
import type { Frame } from '../event/types.ts';
import * as m from '../../messages/stack-parts.ts';
import { frameFunction, frameLocation } from './frames.ts';

export function exceptionsText(shown: readonly ShownException[], platform: string | null): string {
  const [first] = shown;
  const chain = chainOf(shown, platform).map((each) => `${m.relations[each.relation]}: ${textOf(each)}`);
  return [...(first ? [textOf(first)] : []), ...chain].join('\n\n');
}

function textOf({ title, exception, stacktrace }: ShownException): string {
  return stackText(title, exception?.value ?? null, stacktrace?.frames ?? []);
}

/** The stack as text, newest call first, as V8 prints it. */
export function stackText(title: string, value: string | null, frames: readonly Frame[]): string {
  const lines = frames
    .toReversed()
    .map(
      (frame) =>
        `    at ${frameFunction(frame)} (${frame.absPath ?? frameLocation(frame)}${frame.absPath && frame.lineNo !== null ? `:${frame.lineNo}${frame.colNo === null ? '' : `:${frame.colNo}`}` : ''})`,
    );
  return [value ? `${title}: ${value}` : title, ...lines].join('\n');
}
