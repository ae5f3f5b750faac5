/** What an answer of the target means, and what its rate limits hold back. Pure. */
import { parseRateLimits, type RateLimit } from '@culprit/envelope';
import type { OutboundAnswer } from '../../base/outbound/index.ts';
import { mirrors as texts } from '../../base/texts/mirror.ts';

export type Verdict =
  | { readonly kind: 'forwarded' }
  /** It would be the next time, too. */
  | { readonly kind: 'refused'; readonly why: string }
  /** Held back by a rate limit. */
  | { readonly kind: 'limited'; readonly why: string }
  /** `isOwn`: the target is there, and failed at this one. */
  | { readonly kind: 'again'; readonly why: string; readonly afterMs?: number | undefined; readonly isOwn: boolean };

const keptAnswer = 300;
const usualPauseSeconds = 60;

export function judge(answer: OutboundAnswer, nowMs: number): Verdict & { readonly limits: readonly RateLimit[] } {
  const { status } = answer;
  const limits = answer.rateLimits === undefined ? [] : parseRateLimits(answer.rateLimits);
  const why = texts.answered(status, answer.body.slice(0, keptAnswer).trim());
  if (status >= 200 && status < 300) return { kind: 'forwarded', limits };
  if (status >= 300 && status < 400) {
    const where = answer.location?.slice(0, keptAnswer) ?? '';
    return { kind: 'again', why: texts.redirected(status, where), isOwn: false, limits };
  }
  const afterMs = pauseOf(answer.retryAfter, nowMs);
  if (status === 429) {
    const retryAfter = afterMs === undefined ? usualPauseSeconds : Math.ceil(afterMs / 1000);
    return { kind: 'limited', why, limits: limits.length ? limits : [{ retryAfter, categories: [], scope: '' }] };
  }
  if (status >= 500 || status === 408 || status === 425) {
    return { kind: 'again', why, afterMs, isOwn: status === 500, limits };
  }
  return { kind: 'refused', why, limits };
}

/** `Retry-After`: seconds, or a date. */
function pauseOf(text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text.trim())) return Number(text) * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}

const everything = '';
/** So long a limit is waited for; what a longer one holds back is not sent. */
const longestWaitMs = 300_000;

export type Hold =
  | { readonly kind: 'none' }
  | { readonly kind: 'wait'; readonly untilMs: number }
  | { readonly kind: 'skip'; readonly why: string };

/** The rate limits that a target has told. */
export class Limits {
  readonly #until = new Map<string, number>();

  note(limits: readonly RateLimit[], nowMs: number): void {
    for (const { retryAfter, categories } of limits) {
      const untilMs = nowMs + retryAfter * 1000;
      for (const name of categories.length ? categories : [everything]) {
        if (untilMs > (this.#until.get(name) ?? 0)) this.#until.set(name, untilMs);
      }
    }
  }

  /** Of a request with items of these categories: what holds all of them. */
  holdOf(categories: readonly string[], nowMs: number): Hold {
    const all = this.#until.get(everything) ?? 0;
    if (all > nowMs) return { kind: 'wait', untilMs: all };
    // What has none must not be limited.
    if (categories.length === 0) return { kind: 'none' };
    const untilMs = Math.min(...categories.map((name) => this.#until.get(name) ?? 0));
    if (untilMs <= nowMs) return { kind: 'none' };
    return untilMs - nowMs <= longestWaitMs
      ? { kind: 'wait', untilMs }
      : { kind: 'skip', why: texts.limited(categories) };
  }
}

const firstWaitMs = 2_000;
const longestPauseMs = 300_000;

/** After so many failures in a row; `random` from 0 to 1. */
export function backoffMs(failures: number, afterMs: number | undefined, random: number): number {
  const wait = Math.min(longestPauseMs, firstWaitMs * 2 ** Math.min(failures - 1, 20));
  return Math.max(Math.round(wait * (0.5 + random / 2)), Math.min(afterMs ?? 0, 3_600_000));
}
