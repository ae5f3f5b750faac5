/** What the server refused or could not do, as `application/problem+json` says it. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** One of the codes in docs/errors.md; `HTTP_502` and the like where something between answered, `OFFLINE` where nothing did. */
  readonly code: string;
  /** Of 5xx: the server logged the full error under it. */
  readonly digest: string | undefined;
  /** Places in a search query that could not be understood. */
  readonly problems: readonly QueryProblem[];
  /** Seconds after which trying again makes sense. */
  readonly retryAfter: number | undefined;

  constructor(fields: {
    status: number;
    code: string;
    message: string;
    digest?: string;
    problems?: readonly QueryProblem[];
    retryAfter?: number;
    cause?: unknown;
  }) {
    super(fields.message, fields.cause === undefined ? undefined : { cause: fields.cause });
    this.status = fields.status;
    this.code = fields.code;
    this.digest = fields.digest;
    this.problems = fields.problems ?? [];
    this.retryAfter = fields.retryAfter;
  }
}

export interface QueryProblem {
  readonly code: string;
  /** What is wrong, by name, and the data that its text names. */
  readonly reason?: string;
  readonly values?: Readonly<Record<string, string>>;
  readonly message: string;
  /** Offsets in the query, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** Where it is not in the query: `field`, `yAxis`, `selection.query`. */
  readonly parameter?: string;
}

/** Reads a refusal. Trusts nothing: a proxy may have answered with a page of its own. */
export function toApiError(status: number, body: unknown, headers: Headers): ApiError {
  const problem = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const text = (key: string): string | undefined => {
    const value = problem[key];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const digest = /^\d{1,32}$/.exec(headers.get('x-error-digest') ?? text('digest') ?? '')?.[0];
  const after = Number(headers.get('retry-after'));
  return new ApiError({
    status,
    code: text('code') ?? `HTTP_${status}`,
    message: text('detail') ?? text('message') ?? text('title') ?? `The server answered with status ${status}.`,
    ...(digest && { digest }),
    problems: readProblems(problem['problems']),
    ...(after > 0 && { retryAfter: after }),
  });
}

export function connectionError(cause: unknown): ApiError {
  return new ApiError({
    status: 0,
    code: 'OFFLINE',
    message: 'The server cannot be reached. Check the connection, or whether Culprit is running.',
    cause,
  });
}

function readProblems(value: unknown): QueryProblem[] {
  if (!Array.isArray(value)) return [];
  return value.filter(
    (each: unknown): each is QueryProblem =>
      typeof each === 'object' &&
      each !== null &&
      'message' in each &&
      'start' in each &&
      typeof each.start === 'number',
  );
}
