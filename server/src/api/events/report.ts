/** What the text of a stored event's stacks is written from. */
import { reportOf, type StackReport } from '@culprit/stacktrace';
import { type Json, object, text } from '../shared/read.ts';
import { toEntries } from './entries.ts';

export function toReport(event: Json): StackReport {
  const sdk = text(object(event['sdk'])?.['name']);
  const contexts = object(event['contexts']) ?? {};
  return reportOf({
    platform: text(event['platform']),
    level: text(event['level']),
    sdk: sdk === null ? null : { name: sdk },
    contexts: { os: object(contexts['os']) ?? {}, runtime: object(contexts['runtime']) ?? {} },
    entries: toEntries(event),
  });
}
