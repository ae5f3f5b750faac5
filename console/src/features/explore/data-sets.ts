/** The three kinds of rows that Explore asks about. */
import type { DataSet as SearchDataSet } from '@culprit/search';

export type DataSet = 'errors' | 'spans' | 'transactions';

interface DataSetFacts {
  /** Keys that a query and columns may name. */
  readonly keys: SearchDataSet;
  /** Durations stand here; none for errors. */
  readonly duration: string | undefined;
  /** Columns of the samples where none are chosen. */
  readonly fields: readonly string[];
  /** Offered before all others. */
  readonly groups: readonly string[];
}

export const dataSets: Readonly<Record<DataSet, DataSetFacts>> = {
  errors: {
    keys: 'events',
    duration: undefined,
    fields: ['timestamp', 'title', 'level', 'transaction', 'release', 'environment', 'user'],
    groups: [
      'issue',
      'error.type',
      'release',
      'environment',
      'transaction',
      'browser.name',
      'os.name',
      'user',
      'level',
    ],
  },
  spans: {
    keys: 'spans',
    duration: 'span.duration',
    fields: ['timestamp', 'span.op', 'span.description', 'span.duration', 'transaction', 'span.status'],
    groups: ['span.op', 'span.description', 'transaction', 'span.status', 'release', 'environment', 'project'],
  },
  transactions: {
    keys: 'spans',
    duration: 'span.duration',
    fields: ['timestamp', 'transaction', 'span.op', 'span.duration', 'span.status', 'release', 'user'],
    groups: [
      'transaction',
      'span.op',
      'span.status',
      'http.method',
      'http.status_code',
      'release',
      'environment',
      'user',
    ],
  },
};

export const dataSetNames: readonly DataSet[] = ['errors', 'spans', 'transactions'];
