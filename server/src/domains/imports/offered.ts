import { gaps, trackerNames } from '../../base/texts/imports.ts';
import { Absent } from './client.ts';
import type { ImportContext } from './context.ts';
import { isTracker } from './records.ts';
import type { Kind } from './source.ts';

/** What the server offers and the token may read; the rest is told in the report. */
export async function* offered<T>(
  { reporter, tracker }: Pick<ImportContext, 'reporter' | 'tracker'>,
  kind: Kind,
  records: AsyncIterable<T>,
): AsyncIterable<T> {
  try {
    yield* records;
  } catch (error) {
    if (!(error instanceof Absent)) throw error;
    const name = isTracker(tracker) ? trackerNames[tracker] : tracker;
    reporter.gap(kind, '', gapOf(error, gaps.notThere(name)));
  }
}

/** Why it did not come. `missing`: where it is not there. */
export function gapOf({ status, scope }: Absent, missing: string): string {
  if (status === 403) return gaps.scope(scope);
  return status === 404 ? missing : gaps.failing(status);
}
