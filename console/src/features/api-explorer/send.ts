/** Sends what was put together as it stands: the answer is shown whatever it is. */

/** As whom a request is sent. */
export interface Sender {
  readonly as: 'session' | 'token';
  /** As it was typed; kept while somebody looks at the explorer. */
  readonly token: string;
}

export interface Answer {
  readonly status: number;
  readonly statusText: string;
  /** From the request to the last byte that was read. */
  readonly ms: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** That were read. */
  readonly bytes: number;
  /** JSON in lines of its own. */
  readonly text: string;
  readonly isJson: boolean;
  /** More came than is shown, or it was stopped. */
  readonly isCut: boolean;
}

/** Bytes that are read of an answer: a page of JSON, not an export. */
const readAtMost = 256 * 1024;

export async function sendRequest({
  method,
  address,
  body,
  token,
  signal,
}: {
  readonly method: string;
  readonly address: string;
  readonly body: string | undefined;
  /** None: the session of who is signed in. */
  readonly token: string | undefined;
  readonly signal: AbortSignal;
}): Promise<Answer> {
  const startedAt = performance.now();
  const response = await fetch(address, {
    method,
    signal,
    // A token speaks for itself: with the cookie it would be the session that is let in.
    credentials: token === undefined ? 'same-origin' : 'omit',
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body }),
  });
  const { bytes, isCut } = await readSome(response);
  const isJson = /[/+]json\b/.test(response.headers.get('content-type') ?? '');
  const text = new TextDecoder().decode(bytes);
  return {
    status: response.status,
    statusText: response.statusText,
    ms: Math.round(performance.now() - startedAt),
    headers: [...response.headers],
    bytes: bytes.length,
    text: isJson && !isCut ? pretty(text) : text,
    isJson,
    isCut,
  };
}

/** As much as is shown; what was read before it was stopped stays. */
async function readSome({
  body,
}: Response): Promise<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly isCut: boolean }> {
  const reader = body?.getReader();
  const bytes = new Uint8Array(readAtMost);
  let length = 0;
  try {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true };
      if (done || !value) return { bytes: bytes.subarray(0, length), isCut: false };
      const part = value.subarray(0, readAtMost - length);
      bytes.set(part, length);
      length += part.length;
      if (length === readAtMost) break;
    }
    await reader?.cancel();
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'AbortError')) throw error;
  }
  return { bytes: bytes.subarray(0, length), isCut: true };
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}
