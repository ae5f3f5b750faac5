/** What the tunnel says; of the monitor's own words nothing but the limits that SDKs must keep. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const sentences = {
  200: '',
  400: 'The body is not an envelope.',
  403: 'The DSN is not allowed.',
  405: 'Only POST is allowed.',
  408: 'The body arrived too slowly.',
  413: 'The body is too large.',
  415: 'The body is compressed.',
  429: 'The monitor is rate limiting.',
  502: 'The monitor is not reachable.',
  503: 'Too many bodies in memory.',
} as const;

export type Status = keyof typeof sentences;

export function answer(status: Status, headers: Readonly<Record<string, string>> = {}): Answer {
  const sentence = sentences[status];
  return {
    status,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...headers,
    },
    body: sentence === '' ? '{}' : JSON.stringify({ detail: sentence }),
  };
}

/** Ends the reading of a request with an answer. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: Status;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: Status, headers: Readonly<Record<string, string>> = {}) {
    super(sentences[status]);
    this.status = status;
    this.headers = headers;
  }
}
