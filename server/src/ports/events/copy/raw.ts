/** Rows in ClickHouse's Native format, as bytes, from one store to another: nothing of them is read but what has to be. */
import { CodedError } from '../../../base/errors.ts';
import type { EventsAddress } from '../events.ts';

const waitMs = 600_000;

type Settings = Readonly<Record<string, string | number>>;

/** All rows of a statement. Throws `CodedError('ENGINE_UNAVAILABLE')`. */
export async function readNative(
  address: EventsAddress,
  sql: string,
  settings: Settings,
  signal: AbortSignal,
): Promise<Buffer> {
  return ask(address, { default_format: 'Native', wait_end_of_query: 1, ...settings }, sql, signal);
}

export async function insertNative(
  address: EventsAddress,
  table: string,
  { columns, bytes }: { readonly columns: readonly string[]; readonly bytes: Uint8Array },
  settings: Settings,
  signal: AbortSignal,
): Promise<void> {
  const query = `INSERT INTO ${table} (${columns.join(', ')}) FORMAT Native`;
  await ask(address, { query, wait_end_of_query: 1, async_insert: 0, ...settings }, bytes, signal);
}

async function ask(
  { url, database, username, password }: EventsAddress,
  params: Settings,
  body: string | Uint8Array,
  signal: AbortSignal,
): Promise<Buffer> {
  const search = new URLSearchParams({ database });
  for (const [name, value] of Object.entries(params)) search.set(name, String(value));
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const response = await fetch(`${url}/?${search.toString()}`, {
    method: 'POST',
    headers: { authorization },
    body: body as string | Uint8Array<ArrayBuffer>,
    signal: AbortSignal.any([signal, AbortSignal.timeout(waitMs)]),
  }).catch((cause: unknown) => {
    signal.throwIfAborted();
    throw new CodedError('ENGINE_UNAVAILABLE', [], { cause });
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  if (!response.ok) {
    throw new CodedError('ENGINE_UNAVAILABLE', [], { cause: new Error(bytes.toString('utf8').trim().slice(0, 500)) });
  }
  return bytes;
}
