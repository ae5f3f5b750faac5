/** Spans and records of logs under the rules that members wrote; what those find is gone before anything is read. */
import { hasOwnRules, scrubLogByOwnRules, scrubSpanByOwnRules, type ScrubSettings } from '../scrub/index.ts';
import { AttributeList } from './attribute-list.ts';
import type { SentAttributes, SpanInput, SpanRemark } from './input.ts';

type Add = (remark: SpanRemark) => void;

/** The same one where there are no such rules. */
export function spanByOwnRules(sent: SpanInput, settings: ScrubSettings, add: Add): SpanInput {
  if (!hasOwnRules(settings)) return sent;
  const span = {
    name: sent.name,
    transaction: sent.transaction,
    statusMessage: sent.statusMessage,
    attributes: copyOf(sent.attributes),
    links: sent.links?.map((link) => ({ ...link, attributes: copyOf(link.attributes) })),
    events: sent.events?.map((event) => ({ ...event, attributes: copyOf(event.attributes) })),
  };
  scrubSpanByOwnRules(span, settings, noting(add));
  return { ...sent, ...span };
}

interface SentLog {
  readonly body: unknown;
  readonly attributes: SentAttributes;
}

export function logByOwnRules<Log extends SentLog>(sent: Log, settings: ScrubSettings, add: Add): Log {
  if (!hasOwnRules(settings)) return sent;
  const log = { body: structuredClone(sent.body), attributes: copyOf(sent.attributes) };
  scrubLogByOwnRules(log, settings, noting(add));
  return { ...sent, ...log };
}

/** What is in it may be shared with other spans, too. */
const copyOf = (sent: SentAttributes | undefined): Record<string, unknown> =>
  structuredClone(sent instanceof AttributeList ? { ...sent.toObject() } : { ...sent });

const noting =
  (add: Add): Parameters<typeof scrubSpanByOwnRules>[2] =>
  ({ path, rule }) =>
    add({ field: path.join('.'), what: 'rule', was: rule });
