/** Load on a server, with what it has acknowledged. */
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { envelopeUrl, errorEnvelope, newEventId, type Server } from './harness.ts';

/** Sends events until told to stop, with a pause after each on every connection; remembers which were acknowledged. */
export function startLoad(
  server: Server,
  connections: number,
  pauseMs = 0,
): { acknowledged: Set<string>; statuses: Map<number, number>; stop(): Promise<void> } {
  const acknowledged = new Set<string>();
  const statuses = new Map<number, number>();
  const end = new AbortController();
  const url = envelopeUrl(server.installed.dsn);
  const send = async (bug: number): Promise<void> => {
    while (!end.signal.aborted) {
      const eventId = newEventId();
      const body = errorEnvelope(eventId, {
        transaction: `GET /${bug}`,
        tags: { bug: String(bug) },
        message: `bug ${bug}`,
      });
      try {
        const response = await fetch(url, { method: 'POST', body });
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
        if (response.status === 200) {
          await response.arrayBuffer();
          acknowledged.add(eventId);
        }
        if (pauseMs > 0) await pause(pauseMs);
      } catch {
        await pause(50);
      }
    }
  };
  const senders = Array.from({ length: connections }, (_, bug) => send(bug));
  return {
    acknowledged,
    statuses,
    async stop() {
      end.abort();
      await Promise.all(senders);
    },
  };
}

/** Bytes of memory that the process and those it started hold, without what is files. */
export async function memoryOf(pid: number): Promise<number> {
  const root = `/proc/${pid}`;
  // What ends meanwhile holds none.
  const status = await readFile(`${root}/status`, 'utf8').catch(() => '');
  let bytes = Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
  for (const thread of await readdir(`${root}/task`).catch(() => [])) {
    const children = await readFile(`${root}/task/${thread}/children`, 'utf8').catch(() => '');
    for (const child of children.split(' ').filter(Boolean)) bytes += await memoryOf(Number(child));
  }
  return bytes;
}
