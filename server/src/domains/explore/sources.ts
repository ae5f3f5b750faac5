/** Which table answers for a data set, and which of its rows are meant. */
import type { DataSet } from '@culprit/search';
import type { ExploreDataSet } from './types.ts';

export interface Source {
  readonly table: 'errors' | 'spans' | 'segments';
  readonly timeColumn: 'timestamp' | 'started_at';
  /** Of the event or span. */
  readonly idColumn: 'event_id' | 'span_id';
  /** Which rows of the table belong to the data set. */
  readonly base: readonly string[];
}

/** Web vitals that stand alone say that they are segments, and are no transactions. */
const isTransaction = `(is_segment = 1 AND NOT startsWith(op, 'ui.webvital.') AND NOT startsWith(op, 'ui.interaction.'))`;

const sources: Readonly<Record<ExploreDataSet, Source>> = {
  // Performance problems are events of issues, and no errors.
  errors: { table: 'errors', timeColumn: 'timestamp', idColumn: 'event_id', base: [`(issue_type = '')`] },
  spans: { table: 'spans', timeColumn: 'started_at', idColumn: 'span_id', base: [] },
  transactions: { table: 'spans', timeColumn: 'started_at', idColumn: 'span_id', base: [isTransaction] },
};

/** What of transactions lies by time in a slim table as well. */
const slim: Source = { table: 'segments', timeColumn: 'started_at', idColumn: 'span_id', base: [] };
const slimColumns = new Set(
  'project_id trace_id span_id started_at duration_us op transaction service status failed environment release user'.split(
    ' ',
  ),
);

/** `columns`: all that the question reads; undefined where that is not known. */
export function sourceOf(dataSet: ExploreDataSet, columns: readonly string[] | undefined): Source {
  const isSlim = dataSet === 'transactions' && columns?.every((column) => slimColumns.has(column));
  return isSlim ? slim : sources[dataSet];
}

/** The table of search keys that a data set is asked with. */
export const languageOf = (dataSet: ExploreDataSet): DataSet => (dataSet === 'errors' ? 'events' : 'spans');
