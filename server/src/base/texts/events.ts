/** Why an item was not stored, after its reason on the page of outcomes, and what events without a title are called. */
export const itemProblems = {
  notJson: (position: string | undefined) => (position === undefined ? 'not JSON' : `not JSON at ${position}`),
  tooLarge: (bytes: number, max: number) => `${bytes} bytes; the limit is ${max}`,
  textTooLarge: (megabytes: number) => `${megabytes} MB of text exceeds 1 MiB; the project can allow more`,
  removed: (marks: readonly string[]) =>
    marks.length === 0 ? 'Changed to remove secrets' : `Secrets were removed: ${marks.join(', ')}`,
  notScrubbed: 'not stored: it could not be scrubbed',
  crash: 'the request stopped the processing thread',
  unknownReport: 'unknown kind of report',
} as const;

export const eventProblems = { notObject: 'the event is not a JSON object' } as const;

export const logProblems = {
  notObject: 'the log is not a JSON object',
  noBody: 'the log has no body',
} as const;

export const spanProblems = {
  notObject: 'the span is not a JSON object',
  notSpan: 'the item is not a span',
  noTrace: 'the span has no valid trace id',
  noId: 'the span has no valid span id',
  noStart: 'the span has no start',
  noEnd: 'the span has no end',
} as const;

export const transactionProblems = {
  notObject: 'the transaction is not a JSON object',
  noTraceContext: 'the transaction has no trace context',
  noTrace: 'the transaction has no valid trace id',
  noId: 'the transaction has no valid span id',
  noStart: 'the transaction has no start',
  noEnd: 'the transaction has no end',
  endBeforeStart: 'the transaction ends before it starts',
  tooOld: 'the transaction ended more than five days ago',
} as const;

export const sessionProblems = {
  noRelease: 'the session has no valid release',
  noReleases: 'the sessions have no valid release',
  tooOld: 'the session started more than five days ago',
  noBuckets: 'no buckets',
  tooManyBuckets: (count: number, max: number) => `${count} buckets, at most ${max}`,
  noStart: 'a bucket has no start',
  bucketTooOld: 'a bucket is older than five days',
} as const;

/** Titles that Sentry gives as well; searches and rules may name them. */
export const titles = {
  untitledEvent: '<unlabeled event>',
  untitledTransaction: '<unlabeled transaction>',
  unknownHost: 'unknown host',
  inline: (noun: string) => `Blocked inline '${noun}'`,
  unsafeEval: (noun: string) => `Blocked unsafe eval() '${noun}'`,
  blocked: (noun: string, source: string) => `Blocked '${noun}' from '${source}'`,
  pinning: (host: string) => `Public key pinning validation failed for '${host}'`,
  failed: (kind: 'expectct' | 'expectstaple', host: string) =>
    `${kind === 'expectct' ? 'Expect-CT' : 'Expect-Staple'} failed for '${host}'`,
} as const;
