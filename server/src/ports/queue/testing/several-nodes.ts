/** Several nodes on one log in NATS, all of which are killed now and then: what must hold of what they said. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { type NatsServer, startNats } from '../../../../test/nats/server.ts';
import { testSecrets } from '../../../base/secrets/testing.ts';
import { writerOptions } from './writer-options.ts';

export interface SeveralNodesOptions {
  readonly nodes: number;
  readonly runMs: number;
  readonly newest: boolean;
}

export interface SeveralNodesCounts {
  readonly promised: number;
  readonly refused: number;
  readonly batches: number;
  readonly storedAgain: number;
  readonly nodesKilled: number;
  readonly serverKilled: number;
}

interface Running {
  readonly child: ChildProcess;
  readonly said: Promise<string>;
}

/** Runs them, and checks that each record that was promised is in exactly one batch that was stored. */
export async function runSeveralNodes({ nodes, runMs, newest }: SeveralNodesOptions): Promise<SeveralNodesCounts> {
  await using server = await startNats({ newest });
  const options = {
    url: `${server.url()}?ack_wait=2`,
    dataDir: '',
    box: testSecrets.boxSetup('log record'),
    limitBytes: 2 ** 30,
  };
  const all: Running[] = [];
  let names = 0;
  const start = (): Running => {
    const module = fileURLToPath(new URL('./node.ts', import.meta.url));
    const args = [module, writerOptions(options), `n${names++}`];
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    const running = { child, said: text(child.stdout) };
    all.push(running);
    return running;
  };
  const running = Array.from({ length: nodes }, start);
  const killed = { nodes: 0, server: 0 };
  for (const end = Date.now() + runMs; Date.now() < end;) {
    await delay(500 + randomInt(1_500));
    if (randomInt(3) === 0) {
      await restart(server);
      killed.server++;
    } else {
      const index = randomInt(nodes);
      running[index]?.child.kill('SIGKILL');
      running[index] = start();
      killed.nodes++;
    }
  }
  for (const { child } of running) child.stdin?.end('end\n');
  await Promise.all(running.map(({ child }) => (child.exitCode === null ? once(child, 'exit') : undefined)));
  expect(running.map(({ child }) => child.exitCode)).toEqual(running.map(() => 0));
  const lines = (await Promise.all(all.map(({ said }) => said))).flatMap((said) => said.split('\n').slice(0, -1));
  return { ...check(lines.map((line) => line.split(' '))), nodesKilled: killed.nodes, serverKilled: killed.server };
}

async function restart(server: NatsServer): Promise<void> {
  await server.kill();
  await delay(randomInt(700));
  await server.start();
}

function check(said: readonly (readonly string[])[]): Omit<SeveralNodesCounts, 'nodesKilled' | 'serverKilled'> {
  const promised = new Map<string, string>();
  let refused = 0;
  const contents = new Map<string, string>();
  const tokenOf = new Map<string, string>();
  let deliveries = 0;
  for (const [word, first = '', second = '', ...rest] of said) {
    if (word === 'appended') promised.set(first, second);
    else if (word === 'refused') refused++;
    else if (word === 'stored') {
      deliveries++;
      expect(rest, 'as many records as the batch has').toHaveLength(Number(second));
      const content = rest.join(' ');
      // Whoever has it has the same of it.
      expect(contents.get(first) ?? content).toBe(content);
      contents.set(first, content);
      for (const record of rest) {
        const [position = '', text = ''] = record.split('=');
        expect(tokenOf.get(position) ?? first, `the batch of ${position}`).toBe(first);
        tokenOf.set(position, first);
        const said = promised.get(position);
        if (said !== undefined) expect(text).toBe(said);
      }
    }
  }
  expect([...promised.keys()].filter((position) => !tokenOf.has(position))).toEqual([]);
  return { promised: promised.size, refused, batches: contents.size, storedAgain: deliveries - contents.size };
}
