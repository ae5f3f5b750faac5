/**
 * What the reasons of outcomes say of the service: the one table by which Now and Health judge. docs/outcomes.md has it
 * in words for people.
 *
 * `usual`: as somebody asked, or as happens to everybody; nothing is wrong. `fault`: who sends does it wrong, or sends
 * to the wrong place; the service is well, and somebody should look. `alarm`: the service itself lost what it should
 * have kept.
 */
import type { OutcomeKind } from '../../process/types.ts';
import { nouns, rejected, rejections } from '../../base/texts/outcomes.ts';

export type Weight = 'usual' | 'fault' | 'alarm';

interface Meaning {
  readonly weight: Weight;
  /** After "rejected:". */
  readonly words: string;
}

type Rejected = Extract<OutcomeKind, 'rate_limited' | 'invalid'>;

/** Those that are not here are what `usually` says, in the words of their name. */
export const reasons: { readonly [K in Rejected]: Readonly<Record<keyof (typeof rejections)[K], Weight>> } = {
  rate_limited: {
    key_quota: 'usual',
    blob_quota: 'usual',
    month_quota: 'usual',
    minute_quota: 'usual',
    address: 'usual',
    log_full: 'alarm',
    log_unavailable: 'alarm',
    overloaded: 'alarm',
  },
  invalid: {
    too_old: 'usual',
    no_release: 'usual',
    empty: 'usual',
    unknown_type: 'usual',
    project_deleted: 'usual',
    internal_project: 'usual',
    key_disabled: 'fault',
    project_mismatch: 'fault',
    mirror_loop: 'fault',
    cors: 'fault',
    too_large: 'fault',
    too_many: 'fault',
    timeout: 'fault',
    no_data: 'fault',
    content_type: 'fault',
    invalid_compression: 'fault',
    invalid_envelope: 'fault',
    invalid_otlp: 'fault',
    invalid_json: 'fault',
    json: 'fault',
    internal: 'alarm',
    store_refused: 'alarm',
  },
};

/** Of reasons that SDKs report, and of those of which a name says all, such as `bad_trace_id`. */
const usually: Readonly<Record<Rejected, Weight>> = { rate_limited: 'usual', invalid: 'fault' };

const isRejected = (outcome: string): outcome is Rejected => Object.hasOwn(reasons, outcome);

/** Undefined for what was taken, filtered or never sent: that is nobody's trouble. */
export function meaningOf(outcome: string, reason: string): Meaning | undefined {
  if (!isRejected(outcome)) return undefined;
  const weights: Readonly<Record<string, Weight>> = reasons[outcome];
  const words: Readonly<Record<string, string>> = rejections[outcome];
  const isKnown = Object.hasOwn(weights, reason);
  return {
    weight: (isKnown ? weights[reason] : undefined) ?? usually[outcome],
    words: (isKnown ? words[reason] : undefined) ?? reason.replaceAll(/[_-]/g, ' '),
  };
}

export interface Refused {
  readonly category: string;
  readonly outcome: string;
  readonly reason: string;
  readonly count: number;
}

/** `288 sessions rejected: too old` */
export function refusedText({ category, outcome, reason, count }: Refused): string {
  const noun = (Object.hasOwn(nouns, category) ? nouns[category] : undefined) ?? 'item';
  return rejected(count, noun, meaningOf(outcome, reason)?.words ?? reason);
}
