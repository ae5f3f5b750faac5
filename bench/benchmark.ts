/** What a benchmark says of itself, and how it reads its options. */
import type { Report } from './report.ts';

export interface Benchmark {
  readonly summary: string;
  readonly options: Readonly<Record<string, { readonly fallback: string; readonly help: string }>>;
  /** Options without a value. */
  readonly flags?: Readonly<Record<string, string>>;
  readonly example: string;
  /** Imports what it runs: the list of all is read for `--help` too. Throws `UsageError`. */
  run(read: Reader): Promise<Report>;
}

export interface Reader {
  text(name: string): string;
  flag(name: string): boolean;
  /** Throws `UsageError` unless it is a whole number above 0. */
  count(name: string): number;
  progress(line: string): void;
}

export class UsageError extends Error {}

export const place = { fallback: '', help: "directory for the stores; default: the system's for temporary files" };

/** Of what computes the same events in rounds. */
export const corpusOptions = {
  events: { fallback: '4000', help: 'events of the corpus' },
  rounds: { fallback: '5', help: 'rounds' },
} as const;

export const corpusOf = (read: Reader) => ({
  events: read.count('events'),
  rounds: read.count('rounds'),
  progress: read.progress,
});
