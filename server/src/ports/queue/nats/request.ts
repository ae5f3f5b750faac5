/** Requests to JetStream that are made for every message; what is asked rarely goes through its client's manager. */
import { createInbox, headers, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { CodedError } from '../../../base/errors.ts';
import { nats as texts } from '../../../base/texts/nats.ts';
import type { Nats } from '../../nats/connection.ts';

export const requestMs = 3_000;
/** What clients are told to wait. */
const retryAfterSeconds = 10;
/** An outage shorter than this is waited for. */
export const graceMs = 2_000;

export const logUnavailable = (reason: string, cause?: unknown): CodedError =>
  new CodedError('LOG_UNAVAILABLE', [reason], { retryAfter: retryAfterSeconds, cause });

export const logFull = (cause?: unknown): CodedError =>
  new CodedError('LOG_FULL', [], { retryAfter: retryAfterSeconds, cause });

/** Why nothing can be asked now; undefined where it can. */
export function awayReason(nats: Nats, forMs = 0): string | undefined {
  const now = nats.availability();
  return now.isUp || Date.now() - now.sinceMs < forMs ? undefined : now.reason;
}

/** What the client says while the server is not there, or not ready again. */
export function isAway(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause)
    if (/^(?:TimeoutError|NoRespondersError|RequestError|ConnectionError)$/.test(each.name)) return true;
  return false;
}

/** Runs what asks NATS. Throws `LOG_UNAVAILABLE` where it is away. */
export async function asking<Answer>(nats: Nats, ask: () => Promise<Answer>): Promise<Answer> {
  const reason = awayReason(nats, graceMs);
  if (reason) throw logUnavailable(reason);
  try {
    return await ask();
  } catch (error) {
    if (!isAway(error)) throw error;
    throw logUnavailable(awayReason(nats) ?? texts.silent(nats.servers), error);
  }
}

interface ApiFailure {
  readonly code: number;
  readonly err_code?: number;
  readonly description?: string;
}

interface PubAnswer {
  readonly seq?: number;
  readonly duplicate?: boolean;
  readonly error?: ApiFailure;
}

/** Another message is the stream's last one by now. */
export class WrongLastSequence extends Error {
  override readonly name = 'WrongLastSequence';
}

const wrongLastSequence = new Set([10_071, 10_164]);
/** The same id was taken a moment ago, and is being replicated. */
const inProcess = 10_158;
/** Insufficient resources, and storage of the account or of the stream. */
const outOfRoom = new Set([10_023, 10_028, 10_047, 10_122]);

/** Resolves to the sequence once it is stored. Throws `LOG_FULL`, `WrongLastSequence`, and what the client throws. */
export async function publishOnce(
  connection: NatsConnection,
  subject: string,
  data: Uint8Array,
  heads: Readonly<Record<string, string>>,
): Promise<number> {
  const head = headers();
  for (const [name, value] of Object.entries(heads)) head.set(name, value);
  const { seq, error } = (
    await connection.request(subject, data, { headers: head, timeout: requestMs })
  ).json<PubAnswer>();
  if (seq !== undefined && !error) return seq;
  const { code, err_code: detail = 0, description = '' } = error ?? { code: 0 };
  if (wrongLastSequence.has(detail) || /wrong last sequence/.test(description))
    throw new WrongLastSequence(description);
  if (outOfRoom.has(detail) || /maximum (?:bytes|messages) exceeded|no space|insufficient/.test(description))
    throw logFull(new Error(description));
  // No leader just now, not ready again, or not yet done with the same message.
  throw code === 503 || detail === inProcess
    ? Object.assign(new Error(description), { name: 'NoRespondersError' })
    : new Error(description);
}

export interface Delivered {
  readonly data: Uint8Array;
  readonly subject: string;
  readonly headers: Msg['headers'];
  /** Where its acknowledgement goes. */
  readonly reply: string;
  readonly sequence: number;
  readonly deliveries: number;
  /** Since it was stored, by the clocks of both. */
  readonly ageMs: number;
}

/** `$JS.ACK.[domain.account.]stream.consumer.deliveries.sequence.…` */
function delivered({ data, subject, headers: head, reply = '' }: Msg): Delivered {
  const tokens = reply.split('.');
  const from = tokens.length === 9 ? 4 : 6;
  return {
    data,
    subject,
    headers: head,
    reply,
    deliveries: Number(tokens[from]),
    sequence: Number(tokens[from + 1]),
    ageMs: Date.now() - Number(tokens[from + 3]) / 1_000_000,
  };
}

/** Messages of a pull consumer: what is there now, or what comes within `waitMs`. */
export function pull(
  { connection }: Pick<Nats, 'connection'>,
  { stream, consumer }: { readonly stream: string; readonly consumer: string },
  most: number,
  waitMs = 0,
): Promise<Delivered[]> {
  const inbox = createInbox();
  const got: Delivered[] = [];
  return new Promise((resolve, reject) => {
    const end = (error?: Error): void => {
      clearTimeout(timer);
      subscription.unsubscribe();
      if (error && got.length === 0) reject(error);
      else resolve(got);
    };
    const timer = setTimeout(
      () => end(Object.assign(new Error('NATS did not answer'), { name: 'TimeoutError' })),
      requestMs + waitMs,
    );
    const subscription = connection.subscribe(inbox, {
      callback(error, message) {
        if (error) {
          end(error);
          return;
        }
        const code = message.headers?.code ?? 0;
        // Nobody is there to ask: the stream has no leader, or is gone.
        if (code === 503) end(Object.assign(new Error('no responders'), { name: 'NoRespondersError' }));
        else if (code >= 400) end();
        else if (message.reply) {
          got.push(delivered(message));
          if (got.length >= most) end();
        }
      },
    });
    const asked = waitMs > 0 ? { batch: most, expires: waitMs * 1_000_000 } : { batch: most, no_wait: true };
    connection.publish(`$JS.API.CONSUMER.MSG.NEXT.${stream}.${consumer}`, JSON.stringify(asked), { reply: inbox });
  });
}

/** A message by its sequence, from any replica; undefined where that has none. */
export async function directGet(
  connection: NatsConnection,
  stream: string,
  sequence: number,
): Promise<Uint8Array | undefined> {
  const answer = await connection.request(`$JS.API.DIRECT.GET.${stream}`, JSON.stringify({ seq: sequence }), {
    timeout: requestMs,
  });
  const code = answer.headers?.code ?? 0;
  if (code === 404) return undefined;
  if (code >= 400) throw new Error(`NATS: ${code} ${answer.headers?.description ?? ''}`);
  return answer.data;
}

export function tellServer(connection: NatsConnection, reply: string, word: '+WPI' | '-NAK' | '+ACK'): void {
  if (!connection.isClosed()) connection.publish(reply, word);
}
