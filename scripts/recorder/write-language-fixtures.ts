/** Names what a scenario of another language sent, scrubs it and writes it beside its meta data and printed errors. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync, inflateSync } from 'node:zlib';
import { parseEnvelope } from '@culprit/envelope';
import type { FixtureMeta } from '../../fixtures/index.ts';
import type { LanguageScenario, LanguageSender } from './languages/senders.ts';
import type { Recorded } from './recording-server.ts';
import { type Replacement, scrubEnvelope, scrubProtobuf, scrubText } from './scrub.ts';

/** Ends of file names by the last part of a path. */
const ends: Readonly<Record<string, string>> = {
  envelope: 'envelope',
  store: 'store',
  traces: 'traces.pb',
  logs: 'logs.pb',
  metrics: 'metrics.pb',
};

function kindOf({ path }: Recorded): string {
  return path.split('?', 1)[0]?.split('/').findLast(Boolean) ?? '';
}

function itemsOf(recorded: Recorded): string[] {
  const kind = kindOf(recorded);
  if (kind === 'envelope') return parseEnvelope(recorded.body).items.map((item) => item.type);
  return [kind === 'store' ? 'event' : 'otlp'];
}

/** A `/store/` body is JSON, or deflated and in base64. */
function storeText(body: Uint8Array): string {
  const text = Buffer.from(body).toString();
  return text.startsWith('{') ? text : inflateSync(Buffer.from(text, 'base64')).toString();
}

function scrub(recorded: Recorded, replacements: readonly Replacement[]): Uint8Array {
  const kind = kindOf(recorded);
  if (kind === 'envelope') return scrubEnvelope(recorded.body, replacements);
  if (kind !== 'store') return scrubProtobuf(recorded.body, replacements);
  const text = Buffer.from(recorded.body).toString();
  const scrubbed = scrubText(storeText(recorded.body), replacements);
  return Buffer.from(text.startsWith('{') ? scrubbed : deflateSync(scrubbed).toString('base64'));
}

function hasException(recorded: Recorded): boolean {
  if (kindOf(recorded) === 'store') return storeText(recorded.body).includes('"exception":');
  const { items } = parseEnvelope(recorded.body);
  const { payload } = items.find((item) => item.type === 'event') ?? {};
  const event: unknown = JSON.parse(Buffer.from(payload ?? '{}').toString());
  return typeof event === 'object' && event !== null && 'exception' in event;
}

/** `printed` is what the program wrote without a server: an error after the other, a form feed between two. */
export function writeLanguageFixtures(
  root: string,
  sender: LanguageSender,
  runtime: string,
  scenario: LanguageScenario,
  recorded: readonly Recorded[],
  printed: string,
  replacements: readonly Replacement[],
): string[] {
  const folder = join(root, sender.folder);
  mkdirSync(folder, { recursive: true });
  const kept = recorded.filter(
    (one) => scenario.withReports || !itemsOf(one).every((type) => type === 'client_report'),
  );
  if (kept.length === 0) throw new Error(`${sender.folder}/${scenario.name} sent nothing`);
  const texts = printed ? printed.split('\f') : [];
  // Go's SDK sends a panic with a text as a message.
  const events = kept.filter((one) => itemsOf(one).includes('event'));
  const errors = events.length === texts.length ? events : events.filter(hasException);
  if (texts.length && texts.length !== errors.length) {
    throw new Error(
      `${sender.folder}/${scenario.name} sent ${errors.length} errors and printed ${texts.length}: ${printed}`,
    );
  }
  return kept.map((one, index) => {
    const name = index === 0 ? scenario.name : `${scenario.name}-${index + 1}`;
    const bytes = scrub(one, replacements);
    const text = scrubText(texts[errors.indexOf(one)] ?? '', replacements);
    const meta: FixtureMeta = {
      sdk: sender.sdk,
      version: sender.version,
      runtime,
      method: one.method,
      path: one.path,
      headers: one.headers
        .filter(([header]) => header !== 'connection')
        .map(([header, value]) => [header, header === 'host' ? 'monitor.example.com' : scrubText(value, replacements)]),
      items: itemsOf(one),
    };
    const left = replacements.find(
      ({ from }) => from !== '' && [bytes, text].some((part) => Buffer.from(part).includes(from)),
    );
    if (left) throw new Error(`${sender.folder}/${name} still contains "${left.from}"`);
    writeFileSync(join(folder, `${name}.${ends[kindOf(one)] ?? 'envelope'}`), bytes);
    writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(meta, undefined, 1)}\n`);
    if (text) writeFileSync(join(folder, `${name}.txt`), text);
    return name;
  });
}
