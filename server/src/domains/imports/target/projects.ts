/** Projects with their keys and the ids that they had. */
import { gaps } from '../../../base/texts/imports.ts';
import * as projects from '../../projects/index.ts';
import { addToProject } from '../../teams/index.ts';
import type { ImportContext } from '../context.ts';
import type { KeyRecord, ProjectRecord } from '../records.ts';
import type { People } from './people.ts';

const keyForm = /^[0-9a-f]{32}$/;

/** Undefined where nothing is changed, of a project that is not here yet. */
export async function importProject(
  context: ImportContext,
  record: ProjectRecord,
  people: People,
): Promise<projects.Project | undefined> {
  const { state, reporter, settings, ledger } = context;
  const keys = record.keys.flatMap((key) => {
    const publicKey = key.publicKey.toLowerCase().replaceAll('-', '');
    if (keyForm.test(publicKey)) return [{ ...key, publicKey }];
    reporter.gap('key', '', gaps.keyForm, record.slug);
    return [];
  });
  const known = await findHere(context, record, keys);
  if (known) reporter.known('project');
  else reporter.made('project');
  if (settings.dryRun) {
    reporter.made('key', keys.length);
    return known;
  }
  const project = known ?? (await createHere(context, record, keys));
  await ledger.note('project', record.id, project.id);
  for (const key of keys) {
    const adopted = await projects.adoptKey(state, project.id, key);
    if (adopted === 'taken') reporter.gap('key', '', gaps.keyTaken, record.slug);
    else if (adopted === 'made') reporter.made('key');
    else reporter.known('key');
  }
  await keepId(context, record, project);
  for (const slug of record.teams) {
    const team = people.teams.get(slug);
    if (team !== undefined) await addToProject(state, team, project.id, Date.now());
  }
  return project;
}

/** The one that came of it before, or has one of its keys. */
async function findHere(
  { state, organizationId, ledger }: ImportContext,
  { id }: ProjectRecord,
  keys: readonly KeyRecord[],
): Promise<projects.Project | undefined> {
  const entry = await ledger.find('project', id);
  const before = entry && (await projects.getProject(state, organizationId, entry.target));
  if (before) return before;
  for (const { publicKey } of keys) {
    const owner = await projects.ownerOfKey(state, publicKey);
    const project = owner === undefined ? undefined : await projects.findProject(state, owner);
    if (project?.organizationId === organizationId) return project;
  }
  return undefined;
}

/** Its keys take the place of the one that every project begins with. */
async function createHere(
  { state, organizationId }: ImportContext,
  record: ProjectRecord,
  keys: readonly KeyRecord[],
): Promise<projects.Project> {
  const others = new Set((await projects.listProjects(state, organizationId)).map(({ slug }) => slug));
  const slug = projects.isSlug(record.slug) && !others.has(record.slug) ? record.slug : undefined;
  const name = record.name.trim().slice(0, 64) || record.slug.slice(0, 64) || record.id;
  const platform = /^[a-z0-9-]{0,64}$/.test(record.platform) ? record.platform : '';
  return state.transaction(async (trx) => {
    const made = await projects.insertProject(trx, { organizationId, name, ...(slug && { slug }), platform });
    const isReplaced =
      keys.length > 0 && (await projects.ownerOfKey({ db: trx }, keys[0]?.publicKey ?? '')) === undefined;
    if (isReplaced) await trx.deleteFrom('project_key').where('id', '=', made.key.id).execute();
    return made.project;
  });
}

async function keepId(
  { state, reporter }: ImportContext,
  record: ProjectRecord,
  project: projects.Project,
): Promise<void> {
  if (!/^\d{1,19}$/.test(record.id)) {
    reporter.gap('project', 'id', gaps.idForm, record.slug);
    return;
  }
  if (Number(record.id) === project.id) return;
  const aliases = await projects.listAliases(state, project.id);
  if (!aliases.includes(record.id)) await projects.addAlias(state, project.id, record.id);
}
