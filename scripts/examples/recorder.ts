/** Calls operations by their name and keeps what was sent and answered, once each. */
import { excerpt } from './excerpt.ts';
import type { Json, Stable } from './stable.ts';

type Values = Readonly<Record<string, string | readonly string[] | undefined>>;
interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required?: boolean }[];
}
export interface Listed extends Operation {
  readonly path: string;
  readonly method: string;
}

/** As it stands in the file. */
export interface Example {
  readonly id: string;
  readonly params?: Json;
  readonly query?: Json;
  readonly request?: Json;
  readonly status: number;
  readonly response?: Json;
}

export interface Call {
  readonly params?: Values;
  readonly query?: Values;
  readonly body?: Json;
  readonly form?: FormData;
  /** Without a session. */
  readonly anonymous?: boolean;
}

/** Of a stream: what its first message says. */
async function firstMessage({ body }: Response): Promise<Json | undefined> {
  let text = '';
  for await (const chunk of body ?? []) {
    text += Buffer.from(chunk).toString();
    const data = /^data: ?(.+)\n/m.exec(text)?.[1];
    if (data !== undefined) return JSON.parse(data) as Json;
  }
  return undefined;
}

export class Recorder {
  readonly operations: ReadonlyMap<string, Listed>;
  readonly url: string;
  #headers: Readonly<Record<string, string>>;
  readonly #found = new Map<string, Omit<Example, 'id'>>();

  constructor(url: string, operations: readonly Listed[], headers: Readonly<Record<string, string>>) {
    this.operations = new Map(operations.map((one) => [one.operationId, one]));
    this.url = url;
    this.#headers = headers;
  }

  /** Whether it was called with success. */
  has(id: string): boolean {
    return (this.#found.get(id)?.status ?? 500) < 300;
  }

  /** Resolves to what was answered, whatever it was: who needs a success looks at `has` in the end. */
  async call<T = Record<string, string>>(
    id: string,
    { params = {}, query = {}, body, form, anonymous = false }: Call = {},
  ): Promise<T> {
    const operation = this.operations.get(id);
    if (!operation) throw new Error(`there is no operation ${id}`);
    const known: Values = { org: 'acme', project: 'web', ...params };
    const used: Record<string, string> = {};
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      used[name] = String(known[name] ?? '1');
      return encodeURIComponent(used[name]);
    });
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query))
      for (const one of [value ?? []].flat()) search.append(name, String(one));
    const stop = new AbortController();
    const response = await fetch(`${this.url}${path}${search.size > 0 ? `?${search}` : ''}`, {
      method: operation.method.toUpperCase(),
      headers: { ...(!anonymous && this.#headers), ...(body !== undefined && { 'content-type': 'application/json' }) },
      signal: stop.signal,
      ...(body !== undefined ? { body: JSON.stringify(body) } : form && { body: form }),
    });
    if (!anonymous) this.#take(response.headers.getSetCookie());
    const type = response.headers.get('content-type') ?? '';
    let answer: Json | undefined;
    if (type.includes('event-stream')) {
      answer = await firstMessage(response);
      stop.abort();
    } else {
      const text = await response.text();
      answer = text === '' ? undefined : /[/+]json\b/.test(type) ? (JSON.parse(text) as Json) : text;
    }
    const { status } = response;
    if (!this.has(id) && (status < 300 || !this.#found.has(id)))
      this.#found.set(id, {
        ...(Object.keys(used).length > 0 && { params: used }),
        ...(search.size > 0 && { query: query as Json }),
        ...(body !== undefined && { request: body }),
        status,
        ...(answer !== undefined && { response: answer }),
      });
    return answer as T;
  }

  /** Challenges, and sessions that go on under another name. */
  #take(set: readonly string[]): void {
    const pairs = [...(this.#headers.cookie?.split('; ') ?? []), ...set.map((one) => one.split(';', 1)[0] ?? '')];
    const cookies = new Map(pairs.map((one) => [one.split('=', 1)[0], one]));
    this.#headers = { ...this.#headers, cookie: [...cookies.values()].join('; ') };
  }

  /** Lines of JSON by the name of the operation. */
  lines(stable: Stable): string {
    const sorted = [...this.#found].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return sorted
      .map(([id, { response, ...rest }]) =>
        JSON.stringify({
          id,
          ...(stable({ ...rest }) as object),
          ...(response !== undefined && { response: excerpt(stable(response)) }),
        }),
      )
      .join('\n')
      .concat('\n');
  }

  refused(): string[] {
    return [...this.#found].flatMap(([id, { status, response }]) =>
      status < 300 ? [] : [`${id}: ${status} ${JSON.stringify(response).slice(0, 260)}`],
    );
  }
}
