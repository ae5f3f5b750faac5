/**
 * Restores one project into an installation that has others. Nobody else uses that meanwhile: its server is stopped.
 *
 * The backup is laid down beside its data, and what it had queued is processed there. Then the project gets an id here,
 * under which everything is copied that is not in the state store; until all is there, that id is noted as one of a deleted
 * project, so that the next start deletes what a run that was broken off has left. The rows of the state store come last, in
 * one transaction, which also takes that note back. So it can be run again at any time, and what is there is there once.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { restoringProjectFolder } from '../../../../base/data-dir.ts';
import { CodedError } from '../../../../base/errors.ts';
import { readKeyText, type Secrets, secretsOf, textBox } from '../../../../base/secrets/index.ts';
import { restoreInto as texts } from '../../../../base/texts/backups.ts';
import { taken } from '../../../../base/texts/things.ts';
import type { Blobs } from '../../../../ports/blobs/blobs.ts';
import { openBlobs } from '../../../../ports/blobs/open.ts';
import type { Events } from '../../../../ports/events/events.ts';
import { openEvents } from '../../../../ports/events/open.ts';
import { openMigratedState } from '../../../../ports/state/open.ts';
import type { State } from '../../../../ports/state/state.ts';
import type { Audit, Deed } from '../../../audit/index.ts';
import { isSlug, reserveId } from '../../../projects/index.ts';
import { eraseAgain } from '../../../erase/index.ts';
import { readDeletions } from '../../deletions.ts';
import type { Manifest } from '../../repository/manifest.ts';
import type { Repository } from '../../repository/repository.ts';
import { applyDeletions } from '../apply-deletions.ts';
import { finish, layDown, moveIn } from '../files.ts';
import { findNamed } from '../keep-project.ts';
import { chooseKey, type RestoreOptions } from '../restore.ts';
import { copyUploads, readUploads } from './artifacts.ts';
import { type Moved, moveState } from './state.ts';
import { moveTelemetry, type MovedTelemetry } from './telemetry.ts';

export interface RestoreIntoOptions extends Omit<RestoreOptions, 'project'> {
  readonly project: string;
  /** `SLUG` or `ORGANISATION/SLUG`; those of the backup unless given. */
  readonly as: string | undefined;
  readonly retentionDays: number;
  /** What waits in the log of that directory goes into its stores. */
  readonly drain: (place: {
    readonly dataDir: string;
    readonly events: Events;
    readonly secrets: Secrets;
  }) => Promise<void>;
  readonly onStep: (step: 'queued' | 'rows' | 'state') => void;
  /** Where it is told, in the transaction that brings it, and of whom. */
  readonly openAudit: (state: State) => Promise<Audit>;
  readonly by: Pick<Deed, 'actor' | 'source'>;
}

export interface Made {
  readonly organizationId: string;
  readonly organization: string;
  readonly id: number;
  readonly slug: string;
}

export interface RestoredInto extends Made, Moved, MovedTelemetry {
  /** That it had in the backup. */
  readonly formerId: number;
  /** Requests that were queued, and could not be opened without the key. */
  readonly lost: number;
  readonly deletionsUntil: number | undefined;
}

/** The caller has locked the directory, and prepared it for this version. Throws `CodedError('RESTORE_REFUSED')`, NOT_FOUND, SLUG_TAKEN. */
export async function restoreInto(
  repository: Repository,
  manifest: Manifest,
  options: RestoreIntoOptions,
): Promise<RestoredInto> {
  const { dataDir, retentionDays, onStep } = options;
  const { summary } = manifest;
  if (summary.elsewhere.length > 0) throw new CodedError('RESTORE_REFUSED', [dataDir, texts.elsewhere]);
  await refuseEarly(options);
  const scratch = join(dataDir, restoringProjectFolder);
  const remove = (): void => rmSync(scratch, { recursive: true, force: true });
  remove();
  try {
    const key = await chooseKey(summary.key, options);
    await layDown(repository, manifest, scratch, options.onProgress);
    moveIn(scratch);
    finish(scratch);
    const { deletions, reachesTo } = await readDeletions(repository);
    // Of a project that was deleted since then, nobody would ask for it.
    await applyDeletions(
      scratch,
      deletions.filter(({ kind }) => kind !== 'project' && kind !== 'person'),
      undefined,
    );
    await using opened = new AsyncDisposableStack();
    const from = await openPlace(scratch, retentionDays, opened);
    const secrets = key.isRight ? await secretsIn(key.text, scratch) : undefined;
    const queued = summary.log.records;
    if (queued > 0 && secrets) {
      onStep('queued');
      await options.drain({ dataDir: scratch, events: from.events, secrets });
    }
    // After what was queued is stored: people are in that, too.
    const people = deletions.flatMap(({ kind, id, detail = '' }) => (kind === 'person' ? [{ id, detail }] : []));
    if (secrets) {
      const box = textBox(secrets.box('stored secret'));
      await eraseAgain(from, box, [...people, ...(await erasedHere(options.dataDir, people))]);
    }
    const moved = await bring(from, options, summary.id);
    return { ...moved, lost: secrets ? 0 : queued, deletionsUntil: reachesTo };
  } finally {
    remove();
  }
}

/** Erased in the installation itself: the list beside its backups may not have it yet, or be of another folder. */
async function erasedHere(
  dataDir: string,
  known: readonly { readonly detail: string }[],
): Promise<{ id: number; detail: string }[]> {
  await using state = (await openMigratedState({ url: '', dataDir })).state;
  const rows = await state.db
    .selectFrom('deletion')
    .select(['target_id', 'detail'])
    .where('kind', '=', 'person')
    .execute();
  const details = new Set(known.map(({ detail }) => detail));
  return rows.flatMap(({ target_id: id, detail }) => (details.has(detail) ? [] : [{ id: Number(id), detail }]));
}

async function secretsIn(keyText: string | undefined, dir: string): Promise<Secrets | undefined> {
  const text = keyText ?? (await readKeyText({ dataDir: dir, keyFile: '', secret: '' }));
  return text === undefined ? undefined : secretsOf(text, dir);
}

interface Place {
  readonly state: State;
  readonly events: Events;
  readonly blobs: Blobs;
}

async function openPlace(dataDir: string, retentionDays: number, opened: AsyncDisposableStack): Promise<Place> {
  const { state } = await openMigratedState({ url: '', dataDir });
  opened.use(state);
  const store = opened.use(await openEvents({ url: '', dataDir }));
  await store.prepare({ retentionDays });
  return { state, events: store.events, blobs: openBlobs({ url: '', dataDir }) };
}

async function bring(
  from: Place,
  options: RestoreIntoOptions,
  backup: string,
): Promise<Omit<RestoredInto, 'lost' | 'deletionsUntil'>> {
  const { dataDir, onStep } = options;
  const source = await findNamed(from.state, options.project);
  await using state = (await openMigratedState({ url: '', dataDir })).state;
  const named = { organization: source.organization, slug: source.project.slug };
  const target = await targetOf(state, named, options.as);
  const { organization: to, slug } = target;
  const audit = await options.openAudit(state);
  const id = await reserveId(state, source.project.id);
  const organizations = { fromOrganization: source.project.organizationId, toOrganization: to.id };
  const uploads = await readUploads(from.state, organizations.fromOrganization, source.project.id);
  onStep('rows');
  const blobs = openBlobs({ url: '', dataDir });
  await copyUploads(from.blobs, blobs, uploads, organizations);
  const telemetry = await inEvents(options, (events) =>
    moveTelemetry({
      from,
      to: { events, blobs },
      projectId: source.project.id,
      toProjectId: id,
      token: `restore:${backup}:${id}`,
      onTable: () => {},
    }),
  );
  // It knows nothing of what came past it: the next start makes it anew.
  rmSync(join(dataDir, 'event-index'), { recursive: true, force: true });
  onStep('state');
  const made = { organizationId: to.id, organization: to.slug, id, slug };
  const moved = await moveState({
    from: from.state,
    to: state,
    ...organizations,
    uploads,
    slug,
    projectId: source.project.id,
    toProjectId: id,
    newestEvent: telemetry.newestEvent,
    tell: (trx) =>
      audit.record(trx, [
        {
          ...options.by,
          organizationId: to.id,
          action: 'project.restore',
          target: { id, name: slug, project: slug },
          details: { backup },
        },
      ]),
  });
  return { ...made, ...moved, ...telemetry, formerId: source.project.id };
}

async function inEvents<T>(
  { dataDir, retentionDays }: RestoreIntoOptions,
  work: (events: Events) => Promise<T>,
): Promise<T> {
  await using store = await openEvents({ url: '', dataDir });
  await store.prepare({ retentionDays });
  // Before it is closed.
  return await work(store.events);
}

/** What is wrong by the words alone, before a whole backup is laid down to find out. */
async function refuseEarly({ dataDir, project, as }: RestoreIntoOptions): Promise<void> {
  const [slug = '', organization] = project.split('/').toReversed();
  await using state = (await openMigratedState({ url: '', dataDir })).state;
  const { count } = await state.db
    .selectFrom('organization')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const isPlain = organization !== undefined || as?.includes('/') || Number(count) === 1;
  if (isPlain) await targetOf(state, { organization: organization ?? '', slug }, as);
}

interface Named {
  readonly organization: string;
  readonly slug: string;
}

async function targetOf(state: State, source: Named, as: string | undefined) {
  const [first = source.slug, second] = as?.split('/') ?? [];
  const slug = second ?? first;
  if (!isSlug(slug)) throw new CodedError('INPUT_INVALID', [texts.badSlug(slug)]);
  const all = await state.db.selectFrom('organization').select(['id', 'slug']).orderBy('slug').execute();
  const wanted = second === undefined ? undefined : first;
  const organization =
    all.find((one) => one.slug === (wanted ?? source.organization)) ??
    (wanted === undefined && all.length === 1 ? all[0] : undefined);
  if (!organization) throw new CodedError('INPUT_INVALID', [texts.organization(all.map((one) => one.slug))]);
  const known = await state.db
    .selectFrom('project')
    .select('id')
    .where('organization_id', '=', organization.id)
    .where('slug', '=', slug)
    .executeTakeFirst();
  if (known) throw new CodedError('SLUG_TAKEN', [taken.slug(slug)], { hint: texts.otherSlug(organization.slug) });
  return { organization, slug };
}
