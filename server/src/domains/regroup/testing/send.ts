/** Events through processing into real stores, as the pipeline does it. For tests. */
import { openBlobs } from '../../../ports/blobs/open.ts';
import { hash, type TestStores } from '../../issues/testing/stores.ts';
import { encodeReceived } from '../../../ports/queue/received.ts';
import { computeBatch, type ComputeInput, finishWaiting } from '../../../pipeline/compute.ts';
import { storeBatch } from '../../../pipeline/store.ts';
import { createSymbolicator } from '../../artifacts/symbolicator.ts';
import { defaultProjectSettings, type ProjectSettings } from '../../../process/types.ts';

let batches = 0;

export interface SendOptions {
  readonly settings?: ProjectSettings;
  /** Whether something was uploaded for the project. */
  readonly hasArtifacts?: boolean;
  /** Of the items; `event` where it is left out. */
  readonly type?: string;
}

/** Returns their ids. An event without a time is of now. */
export async function sendEvents(
  stores: TestStores,
  projectId: number,
  events: readonly object[],
  { settings = defaultProjectSettings, hasArtifacts = false, type = 'event' }: SendOptions = {},
): Promise<string[]> {
  const now = Date.now();
  const blobs = openBlobs({ url: '', dataDir: stores.dataDir });
  const symbolicator = createSymbolicator({ state: stores.state, blobs });
  const ids: string[] = [];
  const records = events.map((event) => {
    batches += 1;
    const id = hash(`sent ${process.pid} ${batches}`);
    ids.push(id);
    const body = Buffer.from(
      `{"event_id":"${id}"}\n{"type":"${type}"}\n${JSON.stringify({ timestamp: now / 1000, ...event })}\n`,
    );
    const head = { kind: 'envelope', projectId, keyId: 1, receivedAt: now, encoding: '' } as const;
    return { position: batches, value: encodeReceived(head, body) };
  });
  const input: ComputeInput = {
    records,
    settings: new Map([[projectId, settings]]),
    withArtifacts: new Set(hasArtifacts ? [projectId] : []),
    maxEnvelopeBytes: 1024 * 1024,
    poisoned: new Set<number>(),
  };
  for (const slice of computeBatch(input)) {
    const results = await symbolicator.symbolicate(slice.waiting.map((one) => one.event));
    const missing = new Map(slice.waiting.map((one, index) => [one.event, results[index]?.missing ?? []]));
    finishWaiting(slice, input, (waiting) => missing.get(waiting) ?? []);
    await storeBatch({ ...stores, blobs }, slice, `sent:${process.pid}:${batches}`, now);
  }
  return ids;
}

let projects = 0;

/** An organisation with a project; returns the project's id, which no other of the process has. */
export async function makeProject({ state }: TestStores): Promise<number> {
  projects += 1;
  const organization = {
    id: `regroup${projects}`,
    name: 'Acme',
    slug: `regroup${projects}`,
    logo: null,
    metadata: null,
  };
  await state.db
    .insertInto('organization')
    .values({ ...organization, createdAt: new Date(0).toISOString() })
    .execute();
  const project = {
    id: projects,
    organization_id: organization.id,
    slug: 'web',
    name: 'Web',
    platform: '',
    short_id_prefix: 'WEB',
  };
  const { id } = await state.db
    .insertInto('project')
    .values({ ...project, settings: '{}', created_at: 0, first_event_at: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
