/** The streams of the log on NATS: made where they are missing, looked at, and emptied of what is done. */
import { randomBytes } from 'node:crypto';
import {
  AckPolicy,
  DeliverPolicy,
  DiscardPolicy,
  JetStreamApiError,
  type JetStreamManager,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
  type StreamInfo,
} from '@nats-io/jetstream';
import { setTimeout as delay } from 'node:timers/promises';
import { CodedError } from '../../../base/errors.ts';
import { nats as texts } from '../../../base/texts/nats.ts';
import type { Nats } from '../../nats/connection.ts';
import { directGet, isAway, pull, requestMs } from './request.ts';

export interface Streams {
  readonly manager: JetStreamManager;
  /** Made with the stream: a stream that is made anew is another log. */
  readonly logId: string;
  /** Of streams. */
  readonly names: Readonly<Record<StreamName, string>>;
  /** Of messages; all take one word more. */
  readonly subjects: Readonly<Record<StreamName, string>>;
}

type StreamName = 'log' | 'batches' | 'large' | 'unreadable';

export const consumer = 'processing';
/** What subjects of the stream `batches` end with: of a range, and of what says that one is done. */
export const rangeWord = 'range';
export const doneWord = 'done';
const nanosecond = 1_000_000;
const unreadableMs = 30 * 86_400_000;
/** So long the server may take until its streams answer after its start. */
const readyMs = 15_000;
const maxAckPending = 10_000;

const isCode = (error: unknown, ...codes: readonly number[]): boolean =>
  error instanceof JetStreamApiError && codes.includes(error.code);
const streamNotFound = 10_059;
const nameInUse = 10_058;
const messageNotFound = 10_037;

export interface StreamsOptions {
  readonly limitBytes: number;
  /** Whose streams these are to be, or are already; whoever only looks into them needs none. */
  readonly installation?: string | undefined;
}

/** Throws `LOG_OTHER` where they belong to another installation. */
export async function openStreams(nats: Nats, { limitBytes, installation }: StreamsOptions): Promise<Streams> {
  const manager = await jetstreamManager(nats.connection, { timeout: 2 * requestMs, checkAPI: false });
  const { prefix, replicas, ackWaitMs } = nats.address;
  const names = {
    log: `${prefix}-log`,
    batches: `${prefix}-batches`,
    large: `${prefix}-large`,
    unreadable: `${prefix}-unreadable`,
  };
  const common = { storage: StorageType.File, num_replicas: replicas, allow_direct: true };
  const bounded = { discard: DiscardPolicy.New, max_bytes: limitBytes };
  // The server sets aside what a stream may have at most: what these have counts with the log, here.
  const unbounded = { discard: DiscardPolicy.New };
  const made = await patiently(() =>
    ensureOwned(
      nats,
      manager,
      {
        ...common,
        ...bounded,
        name: names.log,
        description: 'Culprit: requests that wait to be processed',
        subjects: [`${prefix}.log.${randomBytes(8).toString('hex')}.*`],
      },
      installation,
    ),
  );
  const logId = made.config.subjects[0]?.split('.').at(-2) ?? '';
  const subjects = {
    log: `${prefix}.log.${logId}`,
    batches: `${prefix}.batches.${logId}`,
    large: `${prefix}.large.${logId}`,
    unreadable: `${prefix}.unreadable.${logId}`,
  };
  const own = (name: Exclude<StreamName, 'log'>, subject: string, more: Partial<StreamConfig>) =>
    patiently(() => ensure(manager, { ...common, ...more, name: names[name], subjects: [subject] }, true));
  await own('batches', `${subjects.batches}.*`, { description: 'Culprit: ranges of requests, as they are processed' });
  await own('large', `${subjects.large}.*`, {
    ...unbounded,
    description: 'Culprit: requests too large for one message',
  });
  await own('unreadable', `${subjects.unreadable}.*`, {
    ...unbounded,
    description: 'Culprit: requests sealed with another key',
    max_age: unreadableMs * nanosecond,
  });
  await patiently(() =>
    manager.consumers.add(names.batches, {
      durable_name: consumer,
      filter_subject: `${subjects.batches}.${rangeWord}`,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      ack_wait: ackWaitMs * nanosecond,
      max_ack_pending: maxAckPending,
    }),
  );
  return { manager, logId, names, subjects };
}

/** Tried again while streams of a server that has just started have no leader. */
async function patiently<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (const begun = performance.now(); ;) {
    try {
      return await ask();
    } catch (error) {
      const mayCome = isAway(error) || (error instanceof JetStreamApiError && error.status === 503);
      if (!mayCome || performance.now() - begun > readyMs) throw error;
      await delay(200);
    }
  }
}

const noStorage = 10_047;
/** No peers for the replicas; and a server that is no cluster. */
const noPeers = new Set([10_005, 10_074]);

/** Why a stream is refused, for people. */
export function streamRefused({ servers, address }: Nats, { code, message }: JetStreamApiError): string {
  if (code === noStorage) return texts.noStorage(servers);
  return noPeers.has(code) ? texts.noReplicas(servers, address.replicas) : texts.refuses(servers, message);
}

/** Whether the stream of requests answers now. */
export async function answers({ manager, names }: Pick<Streams, 'manager' | 'names'>): Promise<boolean> {
  await manager.streams.info(names.log);
  return true;
}

type Wanted = Partial<StreamConfig> & Pick<StreamConfig, 'name' | 'subjects'>;

/** Several nodes may make it at once: one does. */
async function findOrMake(manager: JetStreamManager, wanted: Wanted): Promise<StreamInfo> {
  try {
    return await manager.streams.info(wanted.name);
  } catch (error) {
    if (!isCode(error, streamNotFound)) throw error;
    try {
      return await manager.streams.add({ ...wanted, retention: RetentionPolicy.Limits });
    } catch (reason) {
      if (!isCode(reason, nameInUse)) throw reason;
      return manager.streams.info(wanted.name);
    }
  }
}

/** What is configured differently now is changed; subjects where `moves`. */
async function ensure(manager: JetStreamManager, wanted: Wanted, moves = false): Promise<StreamInfo> {
  const found = await findOrMake(manager, wanted);
  const { config } = found;
  if (isConfigured(found, wanted) && (!moves || config.subjects[0] === wanted.subjects[0])) return found;
  const { subjects, ...others } = wanted;
  // What belonged to a log that is gone is of no use.
  if (moves && config.subjects[0] !== subjects[0]) await manager.streams.purge(wanted.name);
  return manager.streams.update(wanted.name, { ...config, ...others, ...(moves && { subjects }) });
}

const isConfigured = ({ config }: StreamInfo, wanted: Wanted): boolean =>
  config.num_replicas === wanted.num_replicas &&
  (wanted.max_bytes === undefined || config.max_bytes === wanted.max_bytes);

/** Whose a stream is stands in its description: NATS 2.9 keeps nothing else that is ours. */
const ownerShape = / \(installation ([\w-]{1,64})\)$/;

const ownerOf = ({ config }: StreamInfo): string | undefined => ownerShape.exec(config.description ?? '')?.[1];

/** As `ensure`, for the stream that says whose they all are. One that nobody has claimed, as earlier versions made it, is. */
async function ensureOwned(
  nats: Nats,
  manager: JetStreamManager,
  wanted: Wanted,
  installation: string | undefined,
): Promise<StreamInfo> {
  const owned = { ...wanted, description: `${wanted.description} (installation ${installation})` };
  const refuseIfOthers = (info: StreamInfo): StreamInfo => {
    const owner = ownerOf(info);
    if (installation === undefined || owner === undefined || owner === installation) return info;
    const { prefix } = nats.address;
    throw new CodedError('LOG_OTHER', [prefix, nats.servers, owner, installation, wanted.name]);
  };
  const found = refuseIfOthers(await findOrMake(manager, installation === undefined ? wanted : owned));
  const isClaimed = installation === undefined || ownerOf(found) !== undefined;
  if (isConfigured(found, wanted) && isClaimed) return found;
  const { subjects: _, description: __, ...others } = wanted;
  const description = isClaimed ? found.config.description : owned.description;
  await manager.streams.update(wanted.name, { ...found.config, ...others, ...(description && { description }) });
  // Another installation may have claimed it at the same time.
  return refuseIfOthers(await manager.streams.info(wanted.name));
}

export interface StoredMessage {
  readonly sequence: number;
  readonly data: Uint8Array;
}

/** From the leader; undefined where there is none. */
export async function readMessage(
  { manager }: Streams,
  stream: string,
  which: { readonly seq: number } | { readonly last_by_subj: string },
): Promise<StoredMessage | undefined> {
  try {
    const found = await manager.streams.getMessage(stream, which);
    return found ? { sequence: found.seq, data: found.data } : undefined;
  } catch (error) {
    if (isCode(error, messageNotFound)) return undefined;
    throw error;
  }
}

/** A replica may not have it yet: then the leader is asked. */
export async function readBySequence(
  nats: Nats,
  streams: Streams,
  stream: string,
  sequence: number,
): Promise<Uint8Array | undefined> {
  const near = await directGet(nats.connection, stream, sequence);
  return near ?? (await readMessage(streams, stream, { seq: sequence }))?.data;
}

export interface SizedMessage {
  readonly sequence: number;
  readonly records: number;
  readonly bytes: number;
}

const sizesAtOnce = 256;
/** Of a message whose record lies elsewhere: how large that is. */
export const bytesHeader = 'Culprit-Bytes';

/** Messages of the log from a sequence on, without their content, for as long as somebody asks. */
export async function* sizesFrom(
  nats: Nats,
  streams: Streams,
  sequence: number,
): AsyncGenerator<SizedMessage, void, void> {
  const stream = streams.names.log;
  const info = await streams.manager.consumers.add(stream, {
    ack_policy: AckPolicy.None,
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: sequence,
    headers_only: true,
    mem_storage: true,
    num_replicas: 1,
    inactive_threshold: 10_000 * nanosecond,
  });
  try {
    for (let left = info.num_pending; left > 0;) {
      const got = await pull(nats, { stream, consumer: info.name }, Math.min(left, sizesAtOnce));
      if (got.length === 0) return;
      left -= got.length;
      for (const { subject, headers, sequence: at } of got) {
        const bytes = Number(headers?.get(bytesHeader) || headers?.get('Nats-Msg-Size') || 0);
        yield { sequence: at, records: Number(subject.slice(subject.lastIndexOf('.') + 1)), bytes };
      }
    }
  } finally {
    await streams.manager.consumers.delete(stream, info.name).catch(() => undefined);
  }
}

export interface Held {
  readonly records: number;
  readonly bytes: number;
  readonly unreadable: number;
  /** When that came, ms since the epoch; undefined where nothing waits. */
  readonly oldestMs: number | undefined;
  /** Of records that are too large for a message: how many messages they take. */
  readonly largeParts: number;
  /** Of their last message, whether it is still there or not. */
  readonly largeSequence: number;
}

export async function look({ manager, names, subjects }: Streams): Promise<Held> {
  const [log, large, unreadable] = await Promise.all([
    manager.streams.info(names.log, { subjects_filter: `${subjects.log}.*` }),
    manager.streams.info(names.large),
    manager.streams.info(names.unreadable),
  ]);
  // The last word of a subject says how many records its messages have.
  const records = Object.entries(log.state.subjects ?? {}).reduce(
    (sum, [subject, messages]) => sum + messages * Number(subject.slice(subject.lastIndexOf('.') + 1)),
    0,
  );
  return {
    records,
    bytes: log.state.bytes + large.state.bytes,
    unreadable: unreadable.state.num_subjects ?? 0,
    oldestMs: log.state.messages > 0 ? Date.parse(log.state.first_ts) : undefined,
    largeParts: large.state.messages,
    largeSequence: large.state.last_seq,
  };
}

/** How long the parts of a large record may be there before the message that names them. */
export const largeDeadlineMs = 60_000;
const orphanMarginMs = 10 * 60_000;

/** Removes parts of large records whose message was never stored: whoever appended was killed. */
export async function sweepLarge(
  nats: Nats,
  streams: Streams,
  { oldestMs, largeParts, largeSequence }: Held,
): Promise<void> {
  if (largeParts === 0) return;
  const { manager, names } = streams;
  const until = new Date((oldestMs ?? Date.now()) - orphanMarginMs);
  const info = await manager.consumers.add(names.large, {
    ack_policy: AckPolicy.None,
    deliver_policy: DeliverPolicy.StartTime,
    opt_start_time: until.toISOString(),
    headers_only: true,
    mem_storage: true,
    num_replicas: 1,
    inactive_threshold: 10_000 * nanosecond,
  });
  try {
    const [first] = info.num_pending > 0 ? await pull(nats, { stream: names.large, consumer: info.name }, 1) : [];
    // Where none is newer, all that were there when it was looked at are older.
    const keep = first?.sequence ?? (info.num_pending === 0 ? largeSequence + 1 : 0);
    // NATS 2.9 takes "all before the first one" for all.
    if (keep > 1) await manager.streams.purge(names.large, { seq: keep });
  } finally {
    await manager.consumers.delete(names.large, info.name).catch(() => undefined);
  }
}
