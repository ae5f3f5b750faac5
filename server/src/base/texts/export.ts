/** `culprit export`. */
import { number, plural } from './intl.ts';

export const exports = {
  summary: 'Writes everything out: settings, issues, events, spans, logs and sessions, as JSON Lines and envelopes.',
  project: 'only this project; several with commas (default: all)',
  since: 'only events, spans, logs and sessions from this time on',
  until: 'only events, spans, logs and sessions before this time (default: now)',
  gzip: 'compress each file with gzip',
  zstd: 'compress each file with zstd',
  placeNeeded: 'A new or empty directory is required, or - for a tar on standard output: culprit export DIR',
  oneCompression: 'Use --gzip or --zstd, not both.',
  time: (option: string) => `--${option} must be a time such as 2026-11-26T10:00:00Z.`,
  order: '--until must be after --since.',
  notEmpty: 'it is not empty. Choose a new directory',
  terminal: 'the terminal cannot show a tar. Redirect it to a file',
  progress: (kind: string, records: number) => `${kind}: ${number(records)}`,
  done: (records: number, files: number, place: string) =>
    `Exported ${plural(records, 'record')} in ${plural(files, 'file')} to ${place}.`,
  counted: (kind: string, records: number) => `  ${kind.padEnd(16)} ${number(records)}`,
} as const;
