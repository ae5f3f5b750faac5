/** Tries again what may succeed later, and does nothing twice. */

export interface RetryOptions {
  /** After the first attempt; 3 unless set, 0 for none. */
  readonly retries?: number;
  /** Longest pause between two attempts, ms; 30,000 unless set. Where the server asks for more, the call fails. */
  readonly longestPauseMs?: number;
}

type Send = (request: Request) => Promise<Response>;

const firstPauseMs = 500;
const reads = new Set(['GET', 'HEAD']);

/** Nothing was done yet when the server says so; a connection may fail after it was. */
const mayRetry = ({ status }: Response): boolean => status === 429 || status === 503;

export function retrying(send: Send, { retries = 3, longestPauseMs = 30_000 }: RetryOptions): Send {
  return async (request) => {
    for (let attempt = 0; ; attempt++) {
      const isLast = attempt >= retries;
      let response: Response | undefined;
      try {
        // A body can be sent once.
        response = await send(isLast ? request : request.clone());
      } catch (error) {
        if (isLast || request.signal.aborted || !reads.has(request.method)) throw error;
      }
      if (response && (isLast || !mayRetry(response))) return response;
      const pauseMs = response && askedMs(response);
      if (response && pauseMs !== undefined && pauseMs > longestPauseMs) return response;
      await response?.body?.cancel();
      await pause(
        pauseMs ?? Math.min(longestPauseMs, firstPauseMs * 2 ** attempt * (0.5 + Math.random())),
        request.signal,
      );
    }
  };
}

/** Of `Retry-After`: seconds, or a date. */
function askedMs({ headers }: Response): number | undefined {
  const text = headers.get('retry-after');
  if (text === null) return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const give = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', give);
      resolve();
    }, ms);
    signal.addEventListener('abort', give, { once: true });
  });
