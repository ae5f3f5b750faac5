/**
 * The ledger's part about reading: what a call of the API takes on the server's main thread, by stage, and what each of
 * its statements takes in the engine, asked again one by one as the server asked.
 */
import { type Account, createApi, getJson, organization } from './culprit.ts';
import type { HttpClient } from './http-client.ts';
import { addSamples, byStage, type Line } from './ledger-lines.ts';
import type { Started } from './ledger-server.ts';
import { replay, shown } from './statements.ts';
import { apiStage, asked, collection, others, stageSamples } from './stage-names.ts';
import { measureCpu } from './usage.ts';

interface ApiOptions {
  /** Of each kind, a round. */
  readonly calls: number;
  readonly rounds: number;
  readonly progress: (line: string) => void;
}

const names: Readonly<Record<string, string>> = { [others]: 'HTTP and sockets', [collection]: 'collection' };
const warmUps = 20;

export async function measureApi(
  { culprit, account, inspector }: Started,
  { calls, rounds, progress }: ApiOptions,
): Promise<readonly Line[]> {
  const api = createApi(culprit, account);
  const lines: Line[] = [];
  for (const [name, path] of Object.entries(await pathsOf(api, account))) {
    const call = async (times: number): Promise<void> => {
      for (let index = 0; index < times; index++) {
        const { status } = await api.get(path);
        if (status !== 200) throw new Error(`${path} answered ${status}`);
      }
    };
    await call(warmUps);
    const samples = new Map<string, number>();
    const main: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const used = measureCpu(culprit);
      const { main: profile } = await inspector.profile(() => call(calls));
      main.push(((used().serverThreads.get('main') ?? 0) * 1e6) / calls);
      addSamples(samples, stageSamples(profile, apiStage));
    }
    for (const [stage, us] of byStage(samples, Math.min(...main)))
      if (stage !== asked) lines.push({ part: 'api', name: `${name}: ${names[stage] ?? stage}`, us });
    const statements = await inspector.statements(() => call(1));
    for (const [index, statement] of statements.entries()) {
      const us = await replay(culprit, statement, rounds);
      lines.push({ part: 'statements', name: `${name}: ${index + 1}, ${shown(statement)}`, us });
    }
    progress(`${name}: ${statements.length} statements`);
  }
  api.close();
  return lines;
}

async function pathsOf(api: HttpClient, { project }: Account): Promise<Readonly<Record<string, string>>> {
  const base = `/api/0/organizations/${organization}`;
  const list = `${base}/issues/?${new URLSearchParams({ query: 'is:unresolved', sort: 'date', limit: '50', statsPeriod: '14d' })}`;
  const [issue] = await getJson<{ id: string }[]>(api, list);
  const event = await getJson<{ eventID: string }>(api, `${base}/issues/${issue?.id}/events/latest/`);
  return {
    'issue list': list,
    issue: `${base}/issues/${issue?.id}/`,
    'event by id': `/api/0/projects/${organization}/${project}/events/${event.eventID}/`,
  };
}
