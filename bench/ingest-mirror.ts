/** What a mirror costs beside the same server without one: its target takes all that comes and does nothing with it. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Account, type Culprit, startCulprit } from './culprit.ts';
import { type CulpritTurn, culpritTurn, type Turn } from './ingest-turns.ts';
import { finding, type Finding } from './report.ts';

export interface MirroredTurn extends CulpritTurn {
  /** From the last event stored and the rest after it until nothing waits, s. */
  readonly forwardedAfterSeconds: number;
}

/** In the process of the measurement, which has nothing else to do while it measures. */
async function startTarget(): Promise<{ readonly url: string; readonly stop: () => Promise<void> }> {
  const server = createServer((request, response) => {
    request.resume().once('end', () => response.end('{}'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

interface Mirror {
  readonly waiting: number;
  readonly forwarded: number;
  readonly refused: number;
  readonly dropped: number;
}

export async function mirroredTurn(
  dataDir: string,
  account: Account,
  turn: Turn,
  environment: Readonly<Record<string, string>>,
): Promise<MirroredTurn> {
  const target = await startTarget();
  const culprit = await startCulprit(dataDir, { ...environment, CULPRIT_OUTBOUND_ALLOW: '127.0.0.1' });
  try {
    const before = await setMirror(culprit, account, { dsn: `http://${account.key}@${target.url}/1`, enabled: true });
    const own = await culpritTurn(culprit, account, turn);
    const began = performance.now();
    let after = before;
    do {
      await new Promise((resolve) => setTimeout(resolve, 200));
      after = await setMirror(culprit, account, {});
    } while (after.waiting > 0);
    const forwardedAfterSeconds = (performance.now() - began) / 1000;
    if (after.refused + after.dropped > before.refused + before.dropped) throw new Error('the mirror lost requests');
    // What follows is measured without it.
    await setMirror(culprit, account, { enabled: false });
    return { ...own, forwardedAfterSeconds };
  } finally {
    await culprit.stop();
    await target.stop();
  }
}

async function setMirror({ url }: Culprit, account: Account, change: object): Promise<Mirror> {
  const path = `/api/0/projects/${account.organization}/${account.project}/mirror/`;
  const answer = await fetch(url + path, {
    method: 'PUT',
    headers: { authorization: `Bearer ${account.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(change),
  });
  if (!answer.ok) throw new Error(`the mirror: ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { mirror: Mirror }).mirror;
}

/** Turn by turn beside those without a mirror. */
export function besideMirror(
  unit: string,
  turns: readonly CulpritTurn[],
  mirrored: readonly MirroredTurn[],
): Finding[] {
  if (mirrored.length === 0) return [];
  const ratio = (of: (turn: CulpritTurn) => number): number[] =>
    mirrored.map((turn, index) => of(turn) / of(turns[index] ?? turn));
  const cpuMs = ({ cpu, accepted }: CulpritTurn): number => ((cpu.serverSeconds + cpu.engineSeconds) * 1000) / accepted;
  return [
    finding(
      'with a mirror: accepted, of without',
      '',
      ratio((turn) => turn.acceptedPerSecond),
    ),
    finding(
      'with a mirror: drained, of without',
      '',
      ratio((turn) => turn.drainedPerSecond),
    ),
    finding(
      'with a mirror: ack p99, of without',
      '×',
      ratio((turn) => turn.load.ack.p99),
    ),
    finding(`with a mirror: processor time per ${unit}, of without`, '×', ratio(cpuMs)),
    finding(
      'with a mirror: forwarded after the rest',
      's',
      mirrored.map((turn) => turn.forwardedAfterSeconds),
    ),
  ];
}
