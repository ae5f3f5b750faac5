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
const attempts = 7;
const longestPauseMs = 60_000;
/** A server that asks for more is not waited for: the import can be resumed. */
const longestWaitMs = 15 * 60_000;

/** What this server does not offer, or the token may not read; told in the report. */
export class Absent extends Error {
  override readonly name = 'Absent';
  readonly status: 403 | 404;
  readonly scope: string;

  constructor(status: 403 | 404, path: string, scope: string) {
    super(`${status} ${path}`);
    this.status = status;
    this.scope = scope;
  }
}

export const stop = (why: string, cause?: unknown): CodedError => new CodedError('IMPORT_STOPPED', [why], { cause });

export interface ClientOptions {
  /** Without a slash at its end. */
  readonly url: string;
  readonly tracker: string;
  readonly token: string;
  readonly allow: AllowList;
  readonly signal: AbortSignal;
  /** Told how long is waited, ms. */
  readonly onWait?: ((ms: number) => void) | undefined;
  readonly onAnswer?: (() => void) | undefined;
}

export interface Ask {
  /** What the token needs for it, in the tracker's words. */
  readonly scope: string;
  /** Whether an answer of "forbidden" or "not found" is told as `Absent`, rather than ending the import. */
  readonly optional?: boolean;
}

export interface Answered<T> {
  readonly data: T;
  readonly header: (name: string) => string | undefined;
}

export class Client {
  readonly #options: ClientOptions;
  /** Nobody asks before, ms since the epoch. */
  #holdUntil = 0;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  async get<T>(path: string, schema: z.ZodType<T>, ask: Ask): Promise<Answered<T>> {
    const answer = await this.#answer(path);
    const bare = path.split('?', 1)[0] ?? path;
    checkStatus(answer, bare, ask, this.#options);
    const value = parsed(answer, bare);
    const result = schema.safeParse(value);
    if (result.success) return { data: result.data, header: (name) => headerOf(answer, name) };
    const [issue] = result.error.issues;
    throw stop(stops.shape(bare, `${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim().slice(0, 200)));
  }

  async #answer(path: string): Promise<OutboundAnswer> {
    const { url, token, allow, signal } = this.#options;
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
    for (let attempt = 1; ; attempt++) {
      await this.#wait(this.#holdUntil - Date.now());
      let answer: OutboundAnswer | undefined;
      try {
        const call = { method: 'GET', url: `${url}${path}`, headers, body: '', confined: true } as const;
        answer = await callOutside(call, { allow, signal, totalMs, maxAnswerBytes });
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof OutboundError && error.stage === 'refused')
          throw stop(stops.private(error.message), error);
        if (!(error instanceof OutboundError) || attempt >= attempts)
          throw stop(stops.unreachable(path.split('?', 1)[0] ?? '', messageOf(error)), error);
      }
      if (answer) {
        this.#note(answer);
        this.#options.onAnswer?.();
      }
      if (answer && answer.status !== 429 && answer.status < 500) return answer;
      if (answer && attempt >= attempts) return answer;
      const asked = answer && retryAfterMs(answer.retryAfter, Date.now());
      if (asked !== undefined && asked > longestWaitMs && answer) return answer;
      await this.#wait(asked ?? Math.min(longestPauseMs, 500 * 2 ** attempt));
    }
  }

  /** Once the server says that no request is left, none is sent until it has room again. */
  #note(answer: OutboundAnswer): void {
    if (headerOf(answer, 'x-sentry-rate-limit-remaining') !== '0') return;
    const reset = Number(headerOf(answer, 'x-sentry-rate-limit-reset')) * 1000;
    if (reset > Date.now()) this.#holdUntil = Math.min(reset, Date.now() + longestPauseMs);
  }

  async #wait(ms: number): Promise<void> {
    if (ms <= 0) return;
    if (ms > 1_000) this.#options.onWait?.(ms);
    await delay(ms, undefined, { signal: this.#options.signal });
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

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

function checkStatus(answer: OutboundAnswer, path: string, ask: Ask, { tracker, url }: ClientOptions): void {
  const { status, location } = answer;
  if (status === 401) throw stop(stops.token);
  if ((status === 403 || status === 404) && ask.optional) throw new Absent(status, path, ask.scope);
  if (status === 403) throw stop(stops.scope(ask.scope, path));
  if (status === 404) throw stop(stops.notFound(path, tracker));
  if (status >= 300 && status < 400) {
    const to = location !== undefined && URL.canParse(location, url) ? new URL(location, url).origin : '';
    throw stop(stops.redirect(to));
  }
  if (status !== 200) throw stop(stops.status(path, status));
}

function parsed(answer: OutboundAnswer, path: string): unknown {
  // As long as may be read: it was cut off.
  if (Buffer.byteLength(answer.body) >= maxAnswerBytes) throw stop(stops.tooLarge(path, maxAnswerBytes));
  try {
    return JSON.parse(answer.body);
  } catch {
    throw stop(/^\s*</.test(answer.body.slice(0, 200)) ? stops.html(path) : stops.noJson(path));
  }
}
