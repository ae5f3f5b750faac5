/** Asks an engine over its HTTP interface, as the server does. */
import { createHttpClient } from './http-client.ts';
import type { Statement } from './inspector.ts';

export interface EngineAddress {
  readonly url: string;
  readonly username: string;
  readonly password: string;
  readonly database: string;
}

export interface Engine {
  /** Runs SQL; returns rows of JSONEachRow. */
  rows<Row>(sql: string, settings?: Readonly<Record<string, string>>): Promise<Row[]>;
  /** Asks as the server did. */
  ask(statement: Statement): Promise<void>;
  close(): void;
}

const slowestMs = 3_600_000;

export function connectEngine({ url, username, password, database }: EngineAddress): Engine {
  const client = createHttpClient(
    url.replace('localhost', '127.0.0.1'),
    { 'x-clickhouse-user': username, 'x-clickhouse-key': password },
    slowestMs,
  );
  return {
    async rows<Row>(sql: string, settings: Readonly<Record<string, string>> = {}) {
      const search = new URLSearchParams({
        database,
        default_format: 'JSONEachRow',
        output_format_json_quote_64bit_integers: '0',
        max_execution_time: '3600',
        ...settings,
      });
      const { status, text } = await client.post(`/?${search}`, sql);
      if (status !== 200)
        throw new Error(`the engine answered ${status}: ${text.slice(0, 1000)}\n${sql.slice(0, 500)}`);
      return text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Row);
    },
    async ask({ path, type, body }) {
      const { status, text } = await client.post(path, body, { 'content-type': type });
      if (status !== 200) throw new Error(`the engine answered ${status}: ${text.slice(0, 1000)}`);
    },
    close: () => client.close(),
  };
}
