/** From an exception that a span or a log record tells of to its error event, through the same steps as an SDK's. */
import { hash } from 'node:crypto';
import type { StackException } from '@culprit/stacktrace';
import { asText, type JsonObject } from '../../steps/json.ts';
import { scrubField, scrubRules } from '../../steps/scrub/index.ts';
import type { ItemContext, ItemResult, MaybeReported, ReportedBy } from '../../types.ts';
import { orKept } from '../kept/index.ts';
import { processEvent } from '../event/index.ts';
import { type ExceptionTexts, exceptionValues, isSameException, readExceptions } from './stack.ts';

/** Of one request; the rest is counted. */
const maxEvents = 200;
const maxStack = 32 * 1024;
/** Stacks of one message that each other one is compared with. */
const maxCompared = 20;

export interface RecordedError {
  readonly by: ReportedBy;
  /** '' for none. */
  readonly traceId: string;
  readonly spanId: string;
  readonly platform: string;
  readonly atUs: number;
  /** Tells those apart that were recorded at one moment and say the same. */
  readonly place?: number;
  readonly handled: boolean | undefined;
  readonly texts: ExceptionTexts;
  /** What its stack says; read when it is needed. */
  readonly read: () => readonly StackException[];
  /** The event but for its exceptions. */
  readonly event: () => JsonObject;
}

/** Of a span's event or a log record. */
export function textsOf(attributes: Readonly<JsonObject> = {}): ExceptionTexts {
  const text = (name: string): string => asText(attributes[name])?.slice(0, maxStack) ?? '';
  return {
    type: text('exception.type'),
    message: text('exception.message'),
    stack: text('exception.stacktrace'),
  };
}

export function readOnce({ stack }: ExceptionTexts, platform: string): () => readonly StackException[] {
  let read: readonly StackException[] | undefined;
  return () => (read ??= readExceptions(stack, platform));
}

/** Of two records of one exception whether the first one stands for both. */
export type ComesFirst<One> = (one: One, other: One) => boolean;

/** Without the records of an exception that another one of its trace is of: stacks may differ in their outer calls. */
export function distinct<One extends RecordedError>(recorded: readonly One[], comesFirst: ComesFirst<One>): One[] {
  const alike = Map.groupBy(recorded, ({ traceId, texts }) => [traceId, texts.type, texts.message].join('\n'));
  return [...alike.values()].flatMap((all) => {
    // Without a trace nothing says that two belong together.
    if (all.length === 1 || all[0]?.traceId === '') return all;
    const byStack = new Map<string, One>();
    for (const one of all) {
      const same = byStack.get(one.texts.stack);
      if (!same || comesFirst(one, same)) byStack.set(one.texts.stack, one);
    }
    const kept: One[] = [];
    for (const one of byStack.values()) {
      const place = kept.slice(0, maxCompared).findIndex((other) => isSameException(one.read(), other.read()));
      const same = kept[place];
      if (!same) kept.push(one);
      else if (comesFirst(one, same)) kept[place] = one;
    }
    return kept;
  });
}

/** What is left of a request after `distinct`. */
export function finishErrors(all: readonly RecordedError[], context: ItemContext): ItemResult {
  const errors = all.slice(0, maxEvents);
  const surplus = all.length - errors.length;
  const outcome = { kind: 'invalid', reason: 'too_many' } as const;
  const maybeReported = errors.map((one) => toError(one, context));
  return { outcomes: surplus > 0 ? [{ category: 'error', outcome, quantity: surplus }] : [], maybeReported };
}

const reported = { kind: 'filtered', reason: 'reported_by_sdk' } as const;

function toError(recorded: RecordedError, context: ItemContext): MaybeReported {
  const { by, texts, platform, traceId, spanId, atUs, place = '', handled } = recorded;
  const values = exceptionValues(texts, recorded.read(), platform, { type: by, handled });
  const [type, value] = [asText(values.at(-1)?.type) ?? '', asText(values.at(-1)?.value) ?? ''];
  const rules = scrubRules(context.settings);
  // Made of what it is: a request that is sent again, or computed again, gives the same event.
  const said = [traceId, spanId, atUs, texts.type, texts.message, texts.stack, place];
  const made = hash('sha256', [context.projectId, ...said].join('\n'), 'hex');
  return {
    projectId: context.projectId,
    traceId,
    by,
    type: scrubField(type, 'value', rules),
    value: scrubField(value, 'message', rules),
    at: Math.round(atUs / 1000) || context.receivedAt,
    finish(isReported) {
      if (isReported) return { outcomes: [{ category: 'error', outcome: reported, quantity: 1 }] };
      const isUnread = texts.stack !== '' && recorded.read().length === 0;
      const event = {
        ...recorded.event(),
        platform,
        exception: { values },
        // A stack in a form that nobody here reads is still worth reading.
        extra: isUnread ? { 'exception.stacktrace': texts.stack.slice(0, 16 * 1024) } : undefined,
      };
      const item = { type: 'event', header: { type: 'event' }, payload: Buffer.from(JSON.stringify(event)) };
      const ofEvent = { ...context, envelopeEventId: made.slice(0, 32) };
      return orKept(item, ofEvent, () => processEvent(item, ofEvent));
    },
  };
}
