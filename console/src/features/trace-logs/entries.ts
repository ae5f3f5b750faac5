/** The logs and the errors of a trace in one order of time. Pure. */
import type { Schemas } from '../../api/client.ts';
import * as m from '../../messages/trace-logs.ts';
import { type LevelName, levelOf, levels } from '../../ui/Level.tsx';

type Waterfall = Schemas['Waterfall'];

interface Common {
  /** Unique in its trace. */
  readonly key: string;
  /** From the start of the trace, µs. */
  readonly offsetUs: number;
  readonly level: string;
  readonly text: string;
  /** '' where nobody names it. */
  readonly service: string;
  /** Index of the row of its span, -1 where that is not there. */
  readonly row: number;
}

export type TraceEntry =
  | (Common & { readonly kind: 'log'; readonly id: string })
  | (Common & { readonly kind: 'error'; readonly shortId: string | null; readonly eventId: string });

/** By time; an error comes after the logs of its moment, which led to it. */
export function entriesOf({ logs, errors, rows, projects }: Waterfall): TraceEntry[] {
  const slugs = new Map(projects.map(({ id, slug }) => [id, slug]));
  const sender = (service: string, row: number, projectId: string): string =>
    service || rows[row]?.service || (slugs.get(projectId) ?? '');
  const entries: TraceEntry[] = [
    // The same line of the same moment may be there twice.
    ...logs.map(({ id, offsetUs, level, message, service, row, projectId }, index) => ({
      kind: 'log' as const,
      key: `${id}.${index}`,
      id,
      offsetUs,
      level,
      text: message,
      service: sender(service, row, projectId),
      row,
    })),
    ...errors.map(({ eventId, offsetUs, level, title, shortId, row, projectId }) => ({
      kind: 'error' as const,
      key: eventId,
      eventId,
      shortId,
      offsetUs,
      level,
      text: title || m.untitledError,
      service: sender('', row, projectId),
      row,
    })),
  ];
  return entries.sort((a, b) => a.offsetUs - b.offsetUs);
}

export interface EntryFilter {
  /** Words that all must be there, in any case. */
  readonly text: string;
  /** The least level; '' for all. */
  readonly level: LevelName | '';
}

/** How bad, the worst first; what SDKs call a trace is below debug. */
const badness = (level: string): number => (level === 'trace' ? levels.length : levels.indexOf(levelOf(level)));

export function filterEntries(entries: readonly TraceEntry[], { text, level }: EntryFilter): readonly TraceEntry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 20);
  if (!words.length && level === '') return entries;
  const least = level === '' ? Infinity : badness(level);
  return entries.filter((entry) => {
    if (badness(entry.level) > least) return false;
    if (!words.length) return true;
    const whole = `${entry.text} ${entry.service}`.toLowerCase();
    return words.every((word) => whole.includes(word));
  });
}

/** Pieces of a text, those that match a word of the search apart from the rest, so that they can be marked. */
export function markWords(text: string, search: string): readonly { readonly text: string; readonly hit: boolean }[] {
  const words = [...new Set(search.toLowerCase().split(/\s+/).filter(Boolean))].slice(0, 20);
  const lower = text.toLowerCase();
  // Some letters are of another length in lower case, and then places do not fit.
  if (!words.length || lower.length !== text.length) return [{ text, hit: false }];
  const pieces: { text: string; hit: boolean }[] = [];
  let done = 0;
  while (done < text.length) {
    let start = -1;
    let length = 0;
    for (const word of words) {
      const at = lower.indexOf(word, done);
      if (at >= 0 && (start < 0 || at < start || (at === start && word.length > length))) {
        start = at;
        length = word.length;
      }
    }
    if (start < 0) break;
    if (start > done) pieces.push({ text: text.slice(done, start), hit: false });
    pieces.push({ text: text.slice(start, start + length), hit: true });
    done = start + length;
  }
  if (done < text.length) pieces.push({ text: text.slice(done), hit: false });
  return pieces;
}
