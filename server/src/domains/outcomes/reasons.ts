/**
 * What the reasons of outcomes say of the service: the one table by which Now and Health judge. docs/outcomes.md has it
 * in words for people.
 *
 * `usual`: as somebody asked, or as happens to everybody; nothing is wrong. `fault`: who sends does it wrong, or sends
 * to the wrong place; the service is well, and somebody should look. `alarm`: the service itself lost what it should
 * have kept.
 */
import type { OutcomeKind } from '../../process/types.ts';
import { plural } from '../../base/numbers.ts';

export type Weight = 'usual' | 'fault' | 'alarm';

interface Meaning {
  readonly weight: Weight;
  /** After "rejected:". */
  readonly words: string;
}

type Rejected = Extract<OutcomeKind, 'rate_limited' | 'invalid'>;

/** Those that are not here are what `usually` says, in the words of their name. */
export const reasons: Readonly<Record<Rejected, Readonly<Record<string, Meaning>>>> = {
  rate_limited: {
    key_quota: { weight: 'usual', words: 'over the rate limit of the key' },
    blob_quota: { weight: 'usual', words: "over the key's share of files" },
    address: { weight: 'usual', words: 'too many from one address' },
    log_full: { weight: 'alarm', words: 'the log is full' },
    overloaded: { weight: 'alarm', words: 'the server is overloaded' },
  },
  invalid: {
    too_old: { weight: 'usual', words: 'too old' },
    no_release: { weight: 'usual', words: 'no release' },
    empty: { weight: 'usual', words: 'empty' },
    unknown_type: { weight: 'usual', words: 'of a type unknown to this version' },
    project_deleted: { weight: 'usual', words: 'their project was deleted' },
    internal_project: { weight: 'usual', words: "sent to Culprit's own project" },
    key_disabled: { weight: 'fault', words: 'the key is disabled' },
    project_mismatch: { weight: 'fault', words: 'the key belongs to another project' },
    cors: { weight: 'fault', words: 'from an origin that is not allowed' },
    too_large: { weight: 'fault', words: 'too large' },
    too_many: { weight: 'fault', words: 'too many at once' },
    timeout: { weight: 'fault', words: 'sent too slowly' },
    no_data: { weight: 'fault', words: 'without content' },
    content_type: { weight: 'fault', words: 'of a content type that is not accepted' },
    invalid_compression: { weight: 'fault', words: 'the compression is damaged' },
    invalid_envelope: { weight: 'fault', words: 'the envelope is malformed' },
    invalid_otlp: { weight: 'fault', words: 'malformed OTLP' },
    invalid_json: { weight: 'fault', words: 'malformed JSON' },
    json: { weight: 'fault', words: 'malformed JSON' },
    internal: { weight: 'alarm', words: 'Culprit failed on them' },
    store_refused: { weight: 'alarm', words: 'the events store refused them' },
  },
};

/** Of reasons that SDKs report, and of those of which a name says all, such as `bad_trace_id`. */
const usually: Readonly<Record<Rejected, Weight>> = { rate_limited: 'usual', invalid: 'fault' };

const isRejected = (outcome: string): outcome is Rejected => Object.hasOwn(reasons, outcome);

/** Undefined for what was taken, filtered or never sent: that is nobody's trouble. */
export function meaningOf(outcome: string, reason: string): Meaning | undefined {
  if (!isRejected(outcome)) return undefined;
  const known = Object.hasOwn(reasons[outcome], reason) ? reasons[outcome][reason] : undefined;
  return known ?? { weight: usually[outcome], words: reason.replaceAll(/[_-]/g, ' ') };
}

const nouns: Readonly<Record<string, string>> = {
  error: 'error',
  transaction: 'transaction',
  span: 'span',
  log_item: 'log',
  trace_metric: 'metric',
  metric_bucket: 'metric',
  session: 'session',
  attachment: 'attachment',
  feedback: 'feedback item',
  monitor: 'check-in',
  replay: 'replay item',
  profile: 'profile',
  profile_chunk: 'profile',
  security: 'security report',
  internal: 'client report',
};

export interface Refused {
  readonly category: string;
  readonly outcome: string;
  readonly reason: string;
  readonly count: number;
}

/** `288 sessions rejected: too old` */
export function refusedText({ category, outcome, reason, count }: Refused): string {
  const noun = (Object.hasOwn(nouns, category) ? nouns[category] : undefined) ?? 'item';
  const words = meaningOf(outcome, reason)?.words ?? reason;
  return `${plural(count, noun)} rejected: ${words}`;
}
