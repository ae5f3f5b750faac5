/** Sentences of Find that are made from numbers. Pure. */
import { exactNumber, plural } from '../../ui/numbers.ts';
import type { Cause, Evidence } from './queries.ts';

/** `14 visits`; events where there is no trace to tell visits apart. */
export function visitsText({ count, unit }: Cause['visits']): string {
  return plural(count, unit === 'traces' ? 'visit' : 'event');
}

/** `rate limited 212 (key_quota), invalid 3 (json)`; '' when nothing was dropped. */
export function droppedText(dropped: Evidence['dropped']): string {
  return dropped
    .map(({ outcome, reason, quantity }) =>
      [outcome.replaceAll('_', ' '), exactNumber(quantity), reason && `(${reason})`].filter(Boolean).join(' '),
    )
    .join(', ');
}

/** `1:58` */
export function countdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
