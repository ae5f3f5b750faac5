/** Envelopes a second through `@culprit/tunnel`, in turns with a plain proxy before the same sink. */
import { createInterface } from 'node:readline';
import { budgets } from './budgets.ts';
import { startNode } from './child.ts';
import { stopProcess } from './cleanup.ts';
import { openConnection } from './connection.ts';
import { processUse } from './processes.ts';
import { createReport, finding, type Report } from './report.ts';
import type { Part } from './tunnel-part.ts';

export interface TunnelOptions {
  readonly envelopes: number;
  readonly rounds: number;
  readonly connections: number;
  readonly bytes: number;
  readonly progress: (line: string) => void;
}

interface Running {
  readonly pid: number;
  readonly port: number;
}

interface Turn {
  readonly perSecond: number;
  readonly cpuMs: number;
  readonly failed: number;
}

async function start(part: Part, upstream?: string): Promise<Running> {
  const child = startNode('bench/tunnel-part.ts', [`--part=${part}`, ...(upstream ? [`--upstream=${upstream}`] : [])]);
  if (!child.stdout) throw new Error('the part has no output');
  for await (const line of createInterface({ input: child.stdout })) {
    const { port } = JSON.parse(line) as { port: number };
    return { pid: child.pid, port };
  }
  throw new Error(`the ${part} did not start`);
}

/** A browser's envelope of about `bytes`, as it goes through a tunnel. */
function envelope(upstream: string, bytes: number): Buffer {
  const dsn = upstream.replace('://', '://0123456789abcdef0123456789abcdef@').concat('/1');
  const header = { event_id: '9ec79c33ec9942ab8353589fcb2e04dc', sent_at: '2026-01-01T00:00:00.000Z', dsn };
  const event = { message: 'x'.repeat(Math.max(0, bytes - 250)) };
  return Buffer.from(`${JSON.stringify(header)}\n{"type":"event"}\n${JSON.stringify(event)}\n`);
}

async function turn({ port, pid }: Running, body: Buffer, count: number, connections: number): Promise<Turn> {
  const head =
    `POST /monitoring HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nuser-agent: Mozilla/5.0\r\norigin: http://127.0.0.1:${port}\r\n` +
    `cookie: session=1\r\ncontent-type: text/plain;charset=UTF-8\r\ncontent-length: ${body.length}\r\n\r\n`;
  let left = count;
  let failed = 0;
  const before = processUse(pid).cpuSeconds;
  const started = performance.now();
  const sender = async (): Promise<void> => {
    const connection = openConnection('127.0.0.1', port);
    while (left-- > 0) if ((await connection.send(head, body)) !== 200) failed++;
    connection.close();
  };
  await Promise.all(Array.from({ length: connections }, sender));
  const seconds = (performance.now() - started) / 1000;
  const cpuMs = ((processUse(pid).cpuSeconds - before) * 1000) / count;
  return { perSecond: count / seconds, cpuMs, failed };
}

export async function runTunnel({ envelopes, rounds, connections, bytes, progress }: TunnelOptions): Promise<Report> {
  const sink = await start('sink');
  const upstream = `http://127.0.0.1:${sink.port}`;
  const parts = { proxy: await start('proxy', upstream), tunnel: await start('tunnel', upstream) };
  const body = envelope(upstream, bytes);
  const turns: Record<keyof typeof parts, Turn[]> = { proxy: [], tunnel: [] };
  for (const part of [parts.proxy, parts.tunnel]) await turn(part, body, Math.ceil(envelopes / 2), connections);
  for (let round = 1; round <= rounds; round++) {
    for (const name of ['proxy', 'tunnel'] as const) {
      const result = await turn(parts[name], body, envelopes, connections);
      turns[name].push(result);
      progress(`round ${round}, ${name}: ${Math.round(result.perSecond)} envelopes/s, ${result.cpuMs.toFixed(3)} ms`);
    }
  }
  for (const { pid } of [parts.proxy, parts.tunnel, sink]) await stopProcess(pid);
  const ratios = turns.tunnel.map(({ perSecond }, index) => perSecond / (turns.proxy[index]?.perSecond ?? Number.NaN));
  const all = [...turns.proxy, ...turns.tunnel];
  return createReport(
    'tunnel',
    { envelopes, rounds, connections, bytes: body.length },
    [
      finding(
        'plain proxy',
        'envelopes/s',
        turns.proxy.map((each) => each.perSecond),
      ),
      finding(
        'tunnel',
        'envelopes/s',
        turns.tunnel.map((each) => each.perSecond),
      ),
      finding('tunnel to plain proxy', '×', ratios, budgets.tunnelOfProxy),
      finding(
        'processor time of the plain proxy',
        'ms',
        turns.proxy.map((each) => each.cpuMs),
      ),
      finding(
        'processor time of the tunnel',
        'ms',
        turns.tunnel.map((each) => each.cpuMs),
      ),
      finding(
        'answers other than 200',
        '',
        all.reduce((sum, each) => sum + each.failed, 0),
        budgets.lost,
      ),
    ],
    ['The plain proxy hands bytes on and looks at nothing; load, proxy and sink share the machine.'],
  );
}
