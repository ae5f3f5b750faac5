/**
 * Reads the API of a tracker. What comes back is not trusted: it is bounded in size and checked against a schema. It asks no
 * faster than it is allowed to, and asks again what was refused for a while.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { z } from 'zod';
import { CodedError } from '../../base/errors.ts';
import { type AllowList, callOutside, type OutboundAnswer, OutboundError } from '../../base/outbound/index.ts';
import { stops } from '../../base/texts/imports.ts';

const maxAnswerBytes = 32 * 1024 * 1024;
const totalMs = 60_000;
/** Of what may be wrong with the request or its address. */
const attempts = 3;
const longestPauseMs = 30_000;
/** A server that asks for more, or is away for longer, is not waited for: the import can be resumed. */
const longestWaitMs = 15 * 60_000;
/** What a proxy says of a server that is away. */
const awayStatuses: readonly (number | undefined)[] = [502, 503, 504];

/** What this server does not offer, fails at, or the token may not read; told in the report. */
export class Absent extends Error {
  override readonly name = 'Absent';
  /** 403, 404, or one of an error there. */
  readonly status: number;
  readonly scope: string;

  constructor(status: number, path: string, scope: string) {
    super(`${status} ${path}`);
    this.status = status;
    this.scope = scope;
  }
}

export const stop = (why: string, cause?: unknown): CodedError => new CodedError('IMPORT_STOPPED', [why], { cause });

/** Why it waits: the tracker asked for it, or does not answer. */
export type WaitReason = 'asked' | 'away';

/** How it is told that the client gives up. */
export interface ClientWords {
  stop(why: string, cause?: unknown): CodedError;
  /** `reason`: of an address that is not allowed. */
  private(reason: string): string;
  limited(path: string): string;
}

const ofImport: ClientWords = { stop, private: stops.private, limited: stops.limited };

export interface ClientOptions {
  /** Without a slash at its end. */
  readonly url: string;
  readonly tracker: string;
  readonly token: string;
  readonly allow: AllowList;
  readonly signal: AbortSignal;
  /** It answered before: one that does not is away, rather than elsewhere. */
  readonly isKnown?: boolean;
  /** Those of an import unless given. */
  readonly words?: ClientWords;
  /** How long one that is away or limits requests is waited for, ms; a quarter of an hour unless given. */
  readonly patienceMs?: number;
  /** Told how long is waited, ms. */
  readonly onWait?: ((ms: number, why: WaitReason) => void) | undefined;
  readonly onAnswer?: (() => void) | undefined;
}

export interface Ask {
  /** What the token needs for it, in the tracker's words. */
  readonly scope: string;
  /** Whether an answer of "forbidden", "not found" or an error is told as `Absent`, rather than ending the import. */
  readonly optional?: boolean;
}

export interface Answered<T> {
  readonly data: T;
  readonly header: (name: string) => string | undefined;
}

export class Client {
  readonly #options: ClientOptions;
  readonly #words: ClientWords;
  /** Nobody asks before, ms since the epoch. */
  #holdUntil = 0;
  /** The address is right, so that one who is away will be back. */
  #hasAnswered: boolean;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#words = options.words ?? ofImport;
    this.#hasAnswered = options.isKnown ?? false;
  }

  async get<T>(path: string, schema: z.ZodType<T>, ask: Ask): Promise<Answered<T>> {
    const answer = await this.#answer(path);
    const bare = path.split('?', 1)[0] ?? path;
    const why = checkStatus(answer, bare, ask, { ...this.#options, words: this.#words }) ?? refusalOf(answer, bare);
    if (why !== undefined) throw this.#words.stop(why);
    const value = parsed(answer);
    if (value === undefined) throw this.#words.stop(noJson(answer, bare));
    const result = schema.safeParse(value);
    if (result.success) return { data: result.data, header: (name) => headerOf(answer, name) };
    const [issue] = result.error.issues;
    throw this.#words.stop(
      stops.shape(bare, `${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim().slice(0, 200)),
    );
  }

  /** Whether there is an API at this address: what it lists, or that the token may not read it. */
  async hasList(path: string): Promise<boolean> {
    const answer = await this.#answer(path);
    const value = answer.status === 200 || answer.status === 401 || answer.status === 403 ? parsed(answer) : undefined;
    if (typeof value !== 'object' || value === null) return false;
    return answer.status !== 200 || ('results' in value && Array.isArray(value.results));
  }

  async #answer(path: string): Promise<OutboundAnswer> {
    const { url, token, allow, signal } = this.#options;
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
    const began = Date.now();
    for (let attempt = 1; ; attempt++) {
      await this.#wait(this.#holdUntil - Date.now(), 'asked');
      let answer: OutboundAnswer | undefined;
      let failure: OutboundError | undefined;
      try {
        const call = { method: 'GET', url: `${url}${path}`, headers, body: '', confined: true } as const;
        answer = await callOutside(call, { allow, signal, totalMs, maxAnswerBytes });
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof OutboundError)) throw error;
        if (error.stage === 'refused') throw this.#words.stop(this.#words.private(error.message), error);
        failure = error;
      }
      if (answer) this.#note(answer);
      const waitedMs = Date.now() - began;
      const { patienceMs = longestWaitMs } = this.#options;
      const pause = pauseAfter(answer, { attempt, waitedMs, patienceMs, hasAnswered: this.#hasAnswered });
      if (pause) {
        // Those beside this one would be refused as well.
        if (pause.why === 'asked') this.#holdUntil = Math.max(this.#holdUntil, Date.now() + pause.ms);
        await this.#wait(pause.ms, pause.why);
      } else if (answer) {
        return answer;
      } else {
        throw this.#words.stop(stops.unreachable(path.split('?', 1)[0] ?? '', failure?.message ?? ''), failure);
      }
    }
  }

  /** Once the server says that no request is left, none is sent until it has room again. */
  #note(answer: OutboundAnswer): void {
    this.#options.onAnswer?.();
    if (answer.status < 400) this.#hasAnswered = true;
    if (headerOf(answer, 'x-sentry-rate-limit-remaining') !== '0') return;
    const reset = Number(headerOf(answer, 'x-sentry-rate-limit-reset')) * 1000;
    if (reset > Date.now()) this.#holdUntil = Math.min(reset, Date.now() + longestPauseMs);
  }

  async #wait(ms: number, why: WaitReason): Promise<void> {
    if (ms <= 0) return;
    if (ms > 1_000 || why === 'away') this.#options.onWait?.(ms, why);
    await delay(ms, undefined, { signal: this.#options.signal });
  }
}

interface Tried {
  readonly attempt: number;
  readonly waitedMs: number;
  readonly patienceMs: number;
  readonly hasAnswered: boolean;
}

/** How long until it is asked again; undefined where this is the last word. */
function pauseAfter(
  answer: OutboundAnswer | undefined,
  { attempt, waitedMs, patienceMs, hasAnswered }: Tried,
): { readonly ms: number; readonly why: WaitReason } | undefined {
  const status = answer?.status;
  if (status !== undefined && status !== 429 && status < 500) return undefined;
  const ms = retryAfterMs(answer?.retryAfter, Date.now()) ?? Math.min(longestPauseMs, 500 * 2 ** attempt);
  if (waitedMs + ms > patienceMs) return undefined;
  if (status === 429) return { ms, why: 'asked' };
  const isPatient = hasAnswered && (status === undefined || awayStatuses.includes(status));
  return isPatient || attempt < attempts ? { ms, why: 'away' } : undefined;
}

function headerOf({ headers }: OutboundAnswer, name: string): string | undefined {
  const value = headers?.[name];
  return typeof value === 'string' ? value : value?.[0];
}

/** Of `Retry-After`: seconds or a date. */
export function retryAfterMs(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  const ms = /^\d{1,6}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isFinite(ms) ? Math.max(ms, 0) : undefined;
}

/** Why it is no use; undefined where it is. Throws `Absent`. */
function checkStatus(
  { status, location }: OutboundAnswer,
  path: string,
  ask: Ask,
  { tracker, url, words }: Pick<ClientOptions, 'tracker' | 'url'> & { readonly words: ClientWords },
): string | undefined {
  if (status === 200) return undefined;
  if (status === 401) return stops.token;
  if ((status === 403 || status === 404 || status >= 500) && ask.optional) throw new Absent(status, path, ask.scope);
  if (status === 429) return words.limited(path);
  if (status === 403) return stops.scope(ask.scope, path);
  if (status === 404) return stops.notFound(path, tracker);
  if (status < 300 || status >= 400) return stops.status(path, status);
  const to = location !== undefined && URL.canParse(location, url) ? new URL(location, url).origin : '';
  return stops.redirect(to);
}

/** As long as may be read: it was cut off. */
const refusalOf = ({ body }: OutboundAnswer, path: string): string | undefined =>
  Buffer.byteLength(body) >= maxAnswerBytes ? stops.tooLarge(path, maxAnswerBytes) : undefined;

const noJson = ({ body }: OutboundAnswer, path: string): string =>
  /^\s*</.test(body.slice(0, 200)) ? stops.html(path) : stops.noJson(path);

/** Undefined for what is no JSON. */
function parsed({ body }: OutboundAnswer): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Undefined where that is not there. */
export async function orAbsent<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Absent && error.status === 404) return undefined;
    throw error;
  }
}
