/** Texts of stacks of what SDKs of other languages sent, for tests. */
import { writeStack } from '@culprit/stacktrace';
import { listLanguageFixtures, readLanguageFixture } from '../../../../fixtures/index.ts';
import { toReport } from './report.ts';

export type Json = Record<string, unknown>;

export const written = (event: Json): string => `${writeStack(toReport(event))}\n`;

/** The event of a recording, in the form of those that are stored. */
export function recordedEvent(name: string): Json {
  const { bytes } = readLanguageFixture(name);
  const [event] = Buffer.from(bytes)
    .toString('utf8')
    .split('\n')
    .filter((line) => line.startsWith('{') && line.includes('"frames"'))
    .map((line) => JSON.parse(line) as Json);
  if (!event) throw new Error('there is no event');
  const { exception, threads, message } = event;
  return {
    platform: 'python',
    ...event,
    ...(Array.isArray(exception) && { exception: { values: exception as unknown[] } }),
    ...(Array.isArray(threads) && { threads: { values: threads as unknown[] } }),
    ...(typeof message === 'string' && { logentry: { formatted: message } }),
  };
}

export interface SentFrame {
  readonly abs_path?: string;
  readonly filename?: string;
  readonly function?: string;
  readonly module?: string;
  readonly lineno?: number;
  readonly native?: boolean;
}

interface SentException {
  readonly type?: string;
  readonly value?: string;
  readonly module?: string;
  readonly stacktrace?: { readonly frames: readonly SentFrame[] };
}

/** Causes first, as they are sent. */
export const exceptionsOf = (event: Json): readonly SentException[] =>
  (event['exception'] as { values?: SentException[] } | undefined)?.values ?? [];

/** Recordings of errors with calls. */
export const recordingsOf = (folders: RegExp): string[] =>
  listLanguageFixtures().filter(
    (name) =>
      folders.test(name) &&
      Buffer.from(readLanguageFixture(name).bytes).includes('"frames"') &&
      exceptionsOf(recordedEvent(name)).some(({ stacktrace }) => stacktrace?.frames.length),
  );
