/** An answer of a server that failed, as an error that knows the server's digest. */
import { parseDigest } from './parse-digest.ts';
import { read } from './read.ts';

/** Bytes of a failed answer that are read in search of its digest. */
const maxBodyBytes = 65_536;

/** Thrown for a request that the server failed: with the digest of the server's own log line and event, where it told one. */
export class ServerFailure extends Error {
  readonly digest: string | undefined;
  /** Of HTTP. */
  readonly status: number | undefined;

  constructor(message: string, options: { digest?: string; status?: number; cause?: unknown } = {}) {
    super(message, options);
    this.name = 'ServerFailure';
    this.digest = options.digest;
    this.status = options.status;
  }

  /** Reads the digest from a copy of the answer, which can still be read afterwards. */
  static async from(response: Response): Promise<ServerFailure> {
    const digest = await digestFromResponse(response);
    return new ServerFailure(`The server responded with ${response.status}`, { digest, status: response.status });
  }
}

/**
 * The digest of a failed answer: the header `X-Error-Digest`, else `digest` of a JSON body of at most 64 KiB. Reads a copy,
 * rejects never, and has nothing to say about answers that succeeded.
 */
export async function digestFromResponse(response: Response): Promise<string | undefined> {
  if (response.ok) return undefined;
  const header = parseDigest(response.headers.get('x-error-digest')?.trim());
  if (header !== undefined) return header;
  if (!/[/+]json\b/i.test(response.headers.get('content-type') ?? '')) return undefined;
  try {
    return parseDigest(read(JSON.parse(await readStart(response.clone())), 'digest'));
  } catch {
    return undefined;
  }
}

async function readStart(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) return '';
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.byteLength;
    if (size > maxBodyBytes) {
      // The other copy is not waited for: cancelling one of two only settles when both are done.
      void reader.cancel().catch(() => undefined);
      return '';
    }
    text += decoder.decode(value, { stream: true });
  }
}
