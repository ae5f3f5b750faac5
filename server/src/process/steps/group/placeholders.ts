/** Replaces what differs from event to event in a message by a placeholder for its kind. */
import { memo } from '../../../base/memo.ts';
import { maxParameterized } from './message.ts';

export interface Kind {
  readonly placeholder: string;
  /** Without groups that capture. Starts at a token's edge and has bounded or single repeats, so that the time is linear. */
  readonly expression: string;
  /** Refuses what only looks like it; that stays as it is. */
  readonly accepts?: (match: string) => boolean;
}

/** One pass, leftmost match, kinds tried in their order. What `mayHold` does not find is not looked at any further. */
export function createParameterizer(kinds: readonly Kind[], mayHold: RegExp): (text: string) => string {
  const combined = new RegExp(kinds.map(({ expression }) => `(${expression})`).join('|'), 'g');
  const replace = memo((text) =>
    text.replace(combined, (match: string, ...groups: unknown[]) => {
      const kind = kinds[groups.findIndex((group) => group !== undefined)];
      return kind && (kind.accepts?.(match) ?? true) ? kind.placeholder : match;
    }),
  );
  return (text) => {
    const bounded = text.length > maxParameterized ? text.slice(0, maxParameterized).toWellFormed() : text;
    return mayHold.test(bounded) ? replace(bounded) : bounded;
  };
}
