/** A trace as far as a member sees it. */
import type { z } from 'zod';
import type { Membership } from '../../domains/accounts/index.ts';
import { problemsOfTrace } from '../../domains/detectors/index.ts';
import { issuesOfHashes } from '../../domains/issues/index.ts';
import { logsOfTrace } from '../../domains/logs/index.ts';
import { reachableProjects } from '../../domains/named-search/index.ts';
import { readTrace, type Trace } from '../../domains/traces/index.ts';
import type { ApiDeps } from '../shared/deps.ts';
import type { getWaterfall } from './contract.ts';
import { toWaterfall, type TracePlace } from './shapes.ts';

export interface Asked {
  readonly project: readonly string[];
  /** A time within it, seconds since the epoch. */
  readonly timestamp?: number | undefined;
  readonly limit?: number;
}

type Stores = Pick<ApiDeps, 'state' | 'events'>;

export async function traceRequest(
  { state }: Stores,
  membership: Membership,
  traceId: string,
  { project, timestamp, limit }: Asked,
) {
  const projects = await reachableProjects(state, membership, project);
  const request = {
    projectIds: projects.map(({ id }) => id),
    traceId,
    nearMs: timestamp === undefined ? undefined : timestamp * 1000,
    ...(limit !== undefined && { limit }),
  };
  return { projects, request };
}

export async function readPlaced(
  stores: Stores,
  membership: Membership,
  traceId: string,
  asked: Asked,
): Promise<{ trace: Trace; place: TracePlace }> {
  const { projects, request } = await traceRequest(stores, membership, traceId, asked);
  const { state, events } = stores;
  const [trace, problems] = await Promise.all([readTrace(events, request), problemsOfTrace(events, request)]);
  const issues = await issuesOfHashes(state, [...trace.errors, ...problems]);
  return { trace, place: { traceId, projects: new Map(projects.map((one) => [one.id, one])), issues, problems } };
}

export async function readWaterfall(
  stores: Stores,
  membership: Membership,
  traceId: string,
  asked: Asked,
): Promise<z.output<typeof getWaterfall.response>> {
  const [{ trace, place }, logs] = await Promise.all([
    readPlaced(stores, membership, traceId, asked),
    traceRequest(stores, membership, traceId, asked).then(({ request }) => logsOfTrace(stores.events, request)),
  ]);
  return toWaterfall(trace, place, logs);
}
