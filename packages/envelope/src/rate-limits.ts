/** One limit of `X-Sentry-Rate-Limits: <seconds>:<category;…>:<scope>:<reason>:<namespace;…>, …`. */
export interface RateLimit {
  /** Whole seconds. */
  readonly retryAfter: number;
  /** SDK-side names, see `limitCategories` of an item type; none means everything. */
  readonly categories: readonly string[];
  /** organization, project or key. */
  readonly scope: string;
  readonly reason?: string;
  /** Of metric buckets; old SDKs only. */
  readonly namespaces?: readonly string[];
}

/** What SDKs assume when the delay cannot be read. */
const defaultRetryAfter = 60;
const maxLimits = 100;

/** Characters with a meaning in the header, white space and whatever may not stand in a header become `_`. */
function word(text: string): string {
  return text.replaceAll(/[^\w.-]/g, '_');
}

export function formatRateLimits(limits: readonly RateLimit[]): string {
  return limits
    .map((limit) => {
      const seconds = Number.isFinite(limit.retryAfter) ? Math.max(0, Math.ceil(limit.retryAfter)) : defaultRetryAfter;
      const fields = [seconds, limit.categories.map(word).join(';'), word(limit.scope)];
      if (limit.reason !== undefined || limit.namespaces !== undefined) fields.push(word(limit.reason ?? ''));
      if (limit.namespaces !== undefined) fields.push(limit.namespaces.map(word).join(';'));
      return fields.join(':');
    })
    .join(', ');
}

/** Reads the header as SDKs do: what it cannot read of a limit is taken as the widest meaning. */
export function parseRateLimits(header: string): RateLimit[] {
  const limits: RateLimit[] = [];
  for (const part of header.split(',', maxLimits)) {
    const text = part.trim();
    if (text === '') continue;
    const [seconds = '', categories = '', scope = '', reason, namespaces] = text.split(':', 5);
    limits.push({
      retryAfter: /^\d{1,9}(\.\d+)?$/.test(seconds.trim()) ? Math.ceil(Number(seconds)) : defaultRetryAfter,
      categories: list(categories),
      scope: scope.trim(),
      ...(reason ? { reason } : {}),
      ...(namespaces ? { namespaces: list(namespaces) } : {}),
    });
  }
  return limits;
}

function list(text: string): string[] {
  return text
    .split(';')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}
