/** Uploads of a project: bundles and what was made of them lie under their organisation, by their content. */
import type { Blobs } from '../../../../ports/blobs/blobs.ts';
import type { State } from '../../../../ports/state/state.ts';
import { bundleKey, chunkKey } from '../../../artifacts/index.ts';
import { addRow, addRows, allRowsOf } from './rows.ts';
import type { Sides } from './shared.ts';
import type { Ids, Row } from './tables.ts';

export interface Uploads {
  readonly bundles: readonly Row[];
  readonly artifacts: readonly Row[];
  readonly lookups: readonly Row[];
  readonly chunks: readonly Row[];
}

export async function readUploads({ db }: State, organizationId: string, projectId: number): Promise<Uploads> {
  const links = await allRowsOf(db, 'artifact_bundle_project', 'project_id', [projectId]);
  const bundles = await allRowsOf(
    db,
    'artifact_bundle',
    'id',
    links.map((row) => row['bundle_id']),
  );
  const artifacts = await allRowsOf(
    db,
    'artifact',
    'bundle_id',
    bundles.map((row) => row['id']),
  );
  const keys = new Set(artifacts.map((row) => row['lookup_key']).filter((key) => key !== ''));
  const lookups = await allRowsOf(db, 'artifact_lookup', 'key', keys);
  // Of those that are not put together yet.
  const unassembled = bundles.filter((row) => row['state'] === 'created' || row['state'] === 'assembling');
  const wanted = new Set(unassembled.flatMap((row) => JSON.parse(String(row['chunks'])) as string[]));
  const chunks = (await allRowsOf(db, 'artifact_chunk', 'checksum', wanted)).filter(
    (row) => row['organization_id'] === organizationId,
  );
  return { bundles, artifacts, lookups, chunks };
}

/** The same file under the other organisation. */
const moved = (
  key: unknown,
  { fromOrganization, toOrganization }: Pick<Sides, 'fromOrganization' | 'toOrganization'>,
) => String(key).replace(`/${fromOrganization}/`, `/${toOrganization}/`);

/** Before the rows, which name them. What lies there already is the same. */
export async function copyUploads(
  from: Blobs,
  to: Blobs,
  { bundles, lookups, chunks }: Uploads,
  organizations: Pick<Sides, 'fromOrganization' | 'toOrganization'>,
): Promise<void> {
  const { fromOrganization: own } = organizations;
  const keys = new Set([
    ...bundles.map((row) => bundleKey(own, String(row['checksum']))),
    ...lookups.map((row) => String(row['key'])),
    ...chunks.map((row) => chunkKey(own, String(row['checksum']))),
  ]);
  for (const key of keys) await copyBlob(from, to, key, moved(key, organizations));
}

/** False where it is gone. */
export async function copyBlob(from: Blobs, to: Blobs, key: string, toKey: string): Promise<boolean> {
  const stream = await from.stream(key);
  if (!stream) return false;
  await to.putStream(toKey, stream as AsyncIterable<Uint8Array>, { asIs: !key.startsWith('items/') });
  return true;
}

export async function bringUploads(sides: Sides, ids: Ids, uploads: Uploads): Promise<void> {
  const { to, toOrganization } = sides;
  const made = new Set<unknown>();
  for (const row of uploads.bundles) {
    const known = await to
      .selectFrom('artifact_bundle')
      .select('id')
      .where('organization_id', '=', toOrganization)
      .where('checksum', '=', String(row['checksum']))
      .where('release', '=', String(row['release']))
      .where('dist', '=', String(row['dist']))
      .where('debug_id', '=', String(row['debug_id']))
      .executeTakeFirst();
    const state = row['state'] === 'assembling' ? 'created' : row['state'];
    const free = { due_at: 0, attempts: 0, claimed_by: '', claimed_until: 0 };
    if (!known) made.add(row['id']);
    ids.bundle.set(
      row['id'],
      known?.id ?? (await addRow(to, 'artifact_bundle', { ...row, ...free, state, organization_id: toOrganization })),
    );
  }
  await addRows(
    to,
    'artifact',
    uploads.artifacts
      .filter((row) => made.has(row['bundle_id']))
      .map(({ id: _id, ...row }) => ({
        ...row,
        bundle_id: ids.bundle.get(row['bundle_id']),
        lookup_key: moved(row['lookup_key'], sides),
      })),
  );
  await addRows(
    to,
    'artifact_lookup',
    uploads.lookups.map((row) => ({ ...row, key: moved(row['key'], sides) })),
    { orKnown: true },
  );
  await addRows(
    to,
    'artifact_chunk',
    uploads.chunks.map((row) => ({ ...row, organization_id: toOrganization })),
    { orKnown: true },
  );
}
