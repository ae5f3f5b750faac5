/** Sends payloads with secrets in them: the largest of each type, and what SDKs were recorded to send. */
import { deflateSync, gzipSync, inflateSync } from 'node:zlib';
import { type Item, parseEnvelope, serializeEnvelope } from '@culprit/envelope';
import { listFixtures, readFixture } from '../../../../fixtures/index.ts';
import { signalNames } from '../../../src/base/otlp/index.ts';
import { toProtobuf } from '../../../src/base/otlp/made.ts';
import { envelopeUrl, newEventId } from '../../harness.ts';
import { type FormName, formNames, type Secrets, type Side } from './forms.ts';
import { otlpRequest } from './otlp.ts';
import { damaged, payloads } from './payloads.ts';
import { plant, type Planting, plantText } from './plant.ts';

interface Target {
  readonly secrets: Secrets;
  readonly side: Side;
  readonly dsn: string;
}

type Sent = Pick<Item, 'header' | 'payload'>;

const newIds = () => ({ event: newEventId(), trace: newEventId(), span: newEventId().slice(16) });

const bytesOf = (value: unknown): Uint8Array => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));

async function post(url: string, body: string | Uint8Array, planting: Planting, type: string): Promise<void> {
  const place = `user-agent of ${planting.what}`;
  const agent = plantText('Mozilla/5.0', place, planting).replaceAll('\n', ' ');
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': type, 'content-encoding': 'gzip', 'user-agent': agent },
    body: gzipSync(body),
  });
  if (!response.ok) throw new Error(`${response.status} for ${url}: ${await response.text()}`);
}

const sendEnvelope = (dsn: string, header: object, items: readonly Sent[], planting: Planting): Promise<void> =>
  post(envelopeUrl(dsn), serializeEnvelope({ ...header }, items), planting, 'application/x-sentry-envelope');

/** The largest payload of each type with one form in each of its texts. */
export async function sendLargest({ secrets, side, dsn }: Target, form: FormName): Promise<void> {
  const planting = { secrets, side, form: () => form, what: 'others' };
  const times = { now: Date.now() / 1000, round: formNames.indexOf(form) };
  const ids = newIds();
  const items = Object.entries(payloads(times, ids)).map(([type, { header = {}, value, encode = bytesOf }]): Sent => {
    const { content_type, ...rest } = header;
    const payload = encode(plant(value, type, planting));
    return { header: { ...plant(rest, `${type} header`, planting), content_type, type }, payload };
  });
  const header = plant({ trace: { trace_id: ids.trace, transaction: '', release: '' } }, 'envelope', planting);
  await sendEnvelope(dsn, { ...header, event_id: ids.event }, items, { ...planting, what: 'all types' });
  for (const [type, text] of damaged) {
    const item = { header: { type }, payload: bytesOf(plantText(text, `damaged ${type}`, planting)) };
    await sendEnvelope(dsn, { event_id: newEventId() }, [item], planting);
  }
  const strange = { header: { type: plantText('', 'unknown type', planting) }, payload: bytesOf('{}') };
  await sendEnvelope(dsn, {}, [strange], planting);
  await sendOtlp(dsn, planting, times);
}

async function sendOtlp(dsn: string, planting: Planting, times: { now: number; round: number }): Promise<void> {
  const { origin, pathname, username } = new URL(dsn);
  for (const signal of signalNames) {
    const url = `${origin}/api${pathname}/otlp/v1/${signal}?sentry_key=${username}`;
    const good = plant(otlpRequest(signal, times, newIds()), `otlp ${signal}`, planting);
    await post(url, toProtobuf(signal, good), planting, 'application/x-protobuf');
    const faulty = plant(otlpRequest(signal, times, { ...newIds(), span: '00' }), `otlp faulty ${signal}`, planting);
    await post(url, JSON.stringify(faulty), planting, 'application/json');
  }
}

/** What SDKs sent, with a secret behind each text, of one form after the other. */
export async function sendFixtures({ secrets, side, dsn }: Target): Promise<void> {
  const planting = {
    secrets,
    side,
    form: (index: number) => formNames[index % formNames.length] ?? 'password',
    what: 'others',
  };
  for (const name of listFixtures()) {
    const { header, items } = parseEnvelope(readFixture(name).bytes);
    const planted = items.map((item): Sent => {
      const { length: _, type, content_type, ...rest } = item.header;
      const payload = plantBytes(type, item.payload, planting);
      return { header: { ...plant(rest, `${type} header`, planting), type, content_type }, payload };
    });
    await sendEnvelope(dsn, { ...header, dsn: undefined }, planted, planting);
  }
}

function plantBytes(type: string, payload: Uint8Array, planting: Planting): Uint8Array {
  if (type === 'replay_recording') {
    const end = payload.indexOf(0x0a) + 1;
    const events = JSON.parse(inflateSync(payload.subarray(end)).toString()) as unknown;
    return Buffer.concat([payload.subarray(0, end), deflateSync(JSON.stringify(plant(events, type, planting)))]);
  }
  const text = Buffer.from(payload).toString();
  try {
    return bytesOf(plant(JSON.parse(text) as unknown, type, planting));
  } catch {
    return /[\uFFFD\0]/.test(text) ? payload : bytesOf(plantText(text, type, planting));
  }
}
