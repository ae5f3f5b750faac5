/** Two nodes of each role are replaced one after the other by another build, under load, behind balancers that ask `/readyz`. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Server, useProgram } from '../harness.ts';
import { drained, expectExactlyOnce, expectSignedIn, expectToldOnce, startFleet } from './kills.ts';
import { startLoad } from './load.ts';
import { makeNextBuild } from './next-build.ts';

const askEveryMs = 100;

/** Those that said last that they are ready. */
function followReady(nodes: readonly Server[]): Disposable & { readonly ready: () => readonly Server[] } {
  const ready = new Set<Server>(nodes);
  const followed = new Set<Server>();
  const over = new AbortController();
  const follow = async (node: Server): Promise<void> => {
    followed.add(node);
    while (!over.signal.aborted && nodes.includes(node)) {
      const answer = await fetch(`${node.url}/readyz`).catch(() => undefined);
      await answer?.arrayBuffer().catch(() => undefined);
      if (answer?.ok) ready.add(node);
      else ready.delete(node);
      await pause(askEveryMs);
    }
  };
  const look = setInterval(() => {
    for (const node of nodes) if (!followed.has(node)) void follow(node);
  }, askEveryMs);
  return {
    ready: () => nodes.filter((node) => ready.has(node)),
    [Symbol.dispose]() {
      clearInterval(look);
      over.abort();
    },
  };
}

test('an upgrade loses nothing, and no client sees an error', async () => {
  await using expanded = await makeNextBuild('97.0.0', 'expand');
  await using contracted = await makeNextBuild('98.0.0', 'contract');
  await using fleet = await startFleet({
    intake: 2,
    processing: 2,
    api: 2,
    jobs: 2,
    environment: { CULPRIT_DRAIN_SECONDS: '2' },
  });
  const { cluster } = fleet;
  using receiving = followReady(fleet.intake);
  using answering = followReady(fleet.api);
  const [toIntake, toApi] = [await cluster.balance(receiving.ready), await cluster.balance(answering.ready)];
  const load = startLoad(cluster.envelopeUrl(toIntake), {
    connections: 4,
    pauseMs: 40,
    eventsPerBug: 50,
    // A balancer of connections moves none that is open.
    headers: { connection: 'close' },
  });
  const reading = new AbortController();
  const answers = new Map<number | string, number>();
  const read = async (): Promise<void> => {
    while (!reading.signal.aborted) {
      const path = `/organizations/${cluster.installed.organization}/issues/`;
      const status = await cluster.call(toApi, path, { headers: { connection: 'close' } }).then(
        async (answer) => {
          await answer.arrayBuffer();
          return answer.status;
        },
        (error: unknown) => String(error),
      );
      answers.set(status, (answers.get(status) ?? 0) + 1);
      await pause(100);
    }
  };
  const reads = read();

  const applied = (name: string) => cluster.query(`select 1 from migration where name = '${name}'`);
  const startOf = async (program: string, role: string): Promise<Server> => {
    useProgram(program);
    try {
      return await cluster.start(role);
    } finally {
      useProgram();
    }
  };
  const roles = { api: fleet.api, process: fleet.processing, intake: fleet.intake, jobs: fleet.jobs };
  for (const [role, nodes] of Object.entries(roles)) {
    for (const [index, node] of nodes.entries()) {
      await node.stop();
      nodes[index] = await startOf(expanded.program, role);
      // From the first one on, the others go on with a schema that they do not know.
      expect(await applied(expanded.migration)).toHaveLength(1);
    }
  }
  reading.abort();
  await reads;
  await load.stop();
  expect([...load.statuses.keys()]).toEqual([200]);
  expect(load.failures).toEqual([]);
  expect([...answers.keys()]).toEqual([200]);
  await drained(fleet);
  const found = await expectExactlyOnce(fleet, load);
  const told = await expectToldOnce(fleet);
  await expectSignedIn(fleet);
  const { nodes } = await cluster.api<{ nodes: { version: string; state: string }[] }>(fleet.api[0]!, '/health/');
  const versions = nodes.filter(({ state }) => state === 'running').map(({ version }) => version);
  expect(versions).toEqual(Array.from({ length: 8 }, () => expanded.version));
  console.log(JSON.stringify({ ...found, ...told, answers: Object.fromEntries(answers) }));

  // A node of a version that takes away what this one needs.
  await startOf(contracted.program, 'jobs');
  expect(await applied(contracted.migration)).toHaveLength(1);
  await expect(cluster.start('jobs')).rejects.toThrow(contracted.migration);
});
