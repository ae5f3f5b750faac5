/** What went wrong in a trace, as a list. Pure. */
import type { Waterfall } from '../../features/waterfall/queries.ts';
import * as m from '../../messages/trace.ts';

export interface Trouble {
  readonly key: string;
  readonly level: string;
  readonly title: string;
  readonly shortId: string | null;
  readonly eventId: string;
  /** Of an error; a problem is of several moments. */
  readonly offsetUs: number | undefined;
  readonly spans: number;
  /** -1 where it happened in no span that is there. */
  readonly row: number;
}

export const troublesOf = ({ errors, problems }: Pick<Waterfall, 'errors' | 'problems'>): Trouble[] => [
  ...errors.map(({ eventId, level, title, shortId, row, offsetUs }) => ({
    key: eventId,
    level,
    title: title || m.untitledError,
    shortId,
    eventId,
    offsetUs,
    spans: 1,
    row,
  })),
  ...problems.map(({ eventId, title, shortId, offenders, causes }) => ({
    key: `problem ${eventId}`,
    level: 'warning',
    title,
    shortId,
    eventId,
    offsetUs: undefined,
    spans: offenders.length,
    row: offenders[0] ?? causes[0] ?? -1,
  })),
];

export function troubleWords(errors: number, problems: number): string {
  if (!problems) return m.errors({ count: errors });
  return errors ? m.errorsAndProblems({ errors, problems }) : m.problems({ count: problems });
}
