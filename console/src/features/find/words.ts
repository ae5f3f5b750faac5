/** Sentences of Find with numbers. Pure. */
import * as m from '../../messages/find.ts';
import { aboutCount } from '../issues/EventCount.tsx';
import { exactNumber } from '../../ui/numbers.ts';
import type { Cause, Evidence } from './queries.ts';

/** `14 visits`; events where no trace distinguishes visits, `about 400 (280–520) events` of an estimate. */
export function visitsText({ visits: { count, unit }, estimated }: Pick<Cause, 'visits' | 'estimated'>): string {
  if (unit === 'traces') return m.visits({ count });
  const about = aboutCount({ count, estimated });
  return about === undefined ? m.events({ count }) : m.aboutEvents({ count: about });
}

const isKnown = (outcome: string): outcome is keyof typeof m.outcomes => Object.hasOwn(m.outcomes, outcome);

/** `Rate limited: 212 (key_quota). Invalid: 3 (json).`; '' when nothing was dropped. */
export function droppedText(dropped: Evidence['dropped']): string {
  return dropped
    .map(({ outcome, reason, quantity }) => {
      const count = exactNumber(quantity);
      const name = isKnown(outcome) ? m.outcomes[outcome] : outcome.replaceAll('_', ' ');
      return reason ? m.droppedFor({ outcome: name, count, reason }) : m.droppedOne({ outcome: name, count });
    })
    .join(' ');
}

/** `1:58` */
export function countdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
