/**
 * A span as every sender gives it, before its attributes are read: what transactions, spans alone, span containers and
 * OpenTelemetry have in common. Texts are as sent; whoever makes one need not bound or scrub anything but the ids.
 */
import type { ItemContext } from '../../types.ts';
import type { AttributeList } from './attribute-list.ts';

/** Plain values under old or new names, each name once. */
export type SentAttributes = Readonly<Record<string, unknown>> | AttributeList;

export interface SpanLink {
  /** 32 lower-case hex digits. */
  readonly traceId: string;
  /** 16 lower-case hex digits. */
  readonly spanId: string;
  readonly attributes?: Readonly<Record<string, unknown>>;
}

/** Something that happened at one moment of a span. */
export interface SpanMoment {
  readonly name: string;
  readonly atUs: number;
  readonly attributes?: Readonly<Record<string, unknown>>;
}

export interface SpanInput {
  /** 32 lower-case hex digits. */
  readonly traceId: string;
  /** 16 lower-case hex digits, as the two that follow. */
  readonly spanId: string;
  readonly parentSpanId?: string | undefined;
  readonly segmentId?: string | undefined;
  readonly isSegment: boolean;
  /** µs since the epoch, after correction of the sender's clock. */
  readonly startUs: number;
  readonly endUs: number;
  /** Duration without what the children cover, µs, where the children are known. */
  readonly exclusiveUs?: number | undefined;
  readonly name: string;
  /** `sentry.op` where this is absent; else it is made from the attributes. */
  readonly op?: string | undefined;
  /** Name of the segment; a segment's own name where this is absent. */
  readonly transaction?: string | undefined;
  /** Where that name is from; ids are taken out of a name from a URL or from nobody knows where. */
  readonly transactionSource?: string | undefined;
  /** That the name holds no ids, although nothing says where it is from. */
  readonly transactionIsClean?: boolean | undefined;
  /** ok, error, or the name of a failure. */
  readonly status?: string | undefined;
  /** What the sender says about an error; names of failures are taken as the status. */
  readonly statusMessage?: string | undefined;
  /** server, client, producer, consumer or internal, in any case. */
  readonly kind?: string | undefined;
  readonly origin?: string | undefined;
  /** Those of the resource are merged in by whoever makes the input. */
  readonly attributes: SentAttributes;
  readonly links?: readonly SpanLink[] | undefined;
  readonly events?: readonly SpanMoment[] | undefined;
  /** What the sender says outside the attributes; wins over them. */
  readonly sender?: SpanSender | undefined;
  /** What was changed or left out on the way here. */
  readonly remarks?: readonly SpanRemark[] | undefined;
}

export interface SpanSender {
  readonly platform?: string | undefined;
  readonly environment?: string | undefined;
  readonly release?: string | undefined;
  readonly dist?: string | undefined;
  /** The machine. */
  readonly host?: string | undefined;
  /** What the program calls itself. */
  readonly app?: string | undefined;
  /** As `ErrorRow.user`. */
  readonly user?: string | undefined;
  readonly sdkName?: string | undefined;
  readonly sdkVersion?: string | undefined;
  /** Whether the sender asks for what its requests tell: address and browser. */
  readonly inferIp?: boolean | undefined;
  readonly inferUserAgent?: boolean | undefined;
}

export interface SpanRemark {
  /** Column or attribute. */
  readonly field: string;
  /** `cut`, `clock_drift`, `parent_missing`, … */
  readonly what: string;
  /** Before: a length, a count, a time in µs, an id. */
  readonly was?: string | number;
}

/** Whose rules hold, and when and from where it came. */
export type SpanContext = Pick<
  ItemContext,
  'projectId' | 'settings' | 'receivedAt' | 'remoteAddress' | 'userAgent' | 'clientHints'
>;
