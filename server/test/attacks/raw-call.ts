/** A request as no browser and no fetch would send it: any Host, any header. */
import { request } from 'node:http';

export interface RawCall {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, unless it is a text. */
  readonly body?: unknown;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** Of a refusal. */
  readonly code: string | undefined;
}

export function rawCall(url: string, { method = 'GET', headers = {}, body }: RawCall = {}): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: { 'content-type': 'application/json', ...headers } }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => (text += part));
      answer.on('end', () => {
        const code = /"code":"([A-Z_]+)"/.exec(text)?.[1];
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text, code });
      });
    });
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body));
  });
}

/** What a browser sends back. */
export const cookiesOf = ({ headers }: RawAnswer): string =>
  [headers['set-cookie'] ?? []]
    .flat()
    .map((one) => one.split(';', 1)[0])
    .join('; ');
