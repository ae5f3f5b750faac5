import { dsn } from '../base/dsn.ts';
import {
  addAlias,
  createProject,
  deleteAlias,
  getProject,
  listAliases,
  listKeys,
  listProjects,
} from '../domains/projects/index.ts';
import { CodedError } from '../base/errors.ts';
import { things } from '../base/texts/things.ts';
import type { State } from '../ports/state/state.ts';
import { byCommand, openAudit } from './audited.ts';
import { type Command, type Invocation, UsageError } from './command.ts';
import { findOrganization, openInstallation, publicUrl } from './stores.ts';
import { general, project as texts } from '../base/texts/cli.ts';

export const projectCommand: Command = {
  name: 'project',
  summary: texts.summary,
  usage: 'list | create NAME [--platform P] | alias PROJECT [ID] [--remove] [--org SLUG] [--json]',
  options: {
    org: { type: 'string', placeholder: 'SLUG', help: general.organization },
    platform: {
      type: 'string',
      placeholder: 'PLATFORM',
      help: general.platform,
    },
    remove: { type: 'boolean', help: texts.removeAlias },
  },
  words: 3,
  examples: [
    'culprit project list',
    'culprit project create "Web shop" --platform javascript-nextjs',
    'culprit project alias web-shop 4507199254740993',
  ],
  async run(invocation) {
    const { config, words, text, print } = invocation;
    const [action = 'list', name, id] = words;
    const most = { list: 1, create: 2, alias: 3 }[action] ?? 0;
    if (words.length > most) throw new UsageError(general.actions(['list', 'create NAME', 'alias PROJECT [ID]']));
    if (action === 'create' && !name) throw new UsageError(texts.nameNeeded);
    if (action === 'alias' && !name) throw new UsageError(texts.projectNeeded);
    if (invocation.flag('remove') && id === undefined) throw new UsageError(texts.idNeeded);
    await using state = await openInstallation(config);
    const organization = await findOrganization(state, text('org'));
    const url = await publicUrl(config);
    if (action === 'alias' && name) return await aliases(invocation, state, organization.id, name, id);
    if (action === 'create' && name) {
      const audit = await openAudit(config, state);
      const deed = {
        ...byCommand('project create'),
        organizationId: organization.id,
        action: 'project.create',
      } as const;
      const { project, key } = await audit.recorded(deed, async (inside, note) => {
        const input = { organizationId: organization.id, name, platform: text('platform') };
        const created = await createProject(inside, input);
        const { id, slug, platform } = created.project;
        note({ id, name: slug, project: slug }, { details: { platform } });
        return created;
      });
      const made = { id: project.id, slug: project.slug, name: project.name, dsn: dsn(url, key.publicKey, project.id) };
      print(made, [texts.created(made.slug), `DSN  ${made.dsn}`]);
      return;
    }
    const rows = await Promise.all(
      (await listProjects(state, organization.id)).map(async (project) => {
        const keys = await listKeys(state, project.id);
        const dsns = keys.filter((key) => key.isActive).map((key) => dsn(url, key.publicKey, project.id));
        const { id, slug, name, platform, settings } = project;
        return { id, slug, name, platform, isInternal: settings.internal, dsns };
      }),
    );
    print(
      rows,
      rows.map((row) => `${row.slug.padEnd(24)} ${row.dsns[0] ?? texts.noKey}${row.isInternal ? texts.internal : ''}`),
    );
  },
};

/** Shows the ids that a project had elsewhere, with their DSNs; adds or removes one. */
async function aliases(
  { config, flag, print }: Invocation,
  state: State,
  organizationId: string,
  slug: string,
  id: string | undefined,
): Promise<void> {
  const project = await getProject(state, organizationId, slug);
  if (!project) throw new CodedError('NOT_FOUND', [things.project(slug)]);
  if (id !== undefined) {
    const audit = await openAudit(config, state);
    const deed = { ...byCommand('project alias'), organizationId, action: 'project.update' } as const;
    await audit.recorded(deed, async (inside, note) => {
      const before = await listAliases(inside, project.id);
      if (!flag('remove')) await addAlias(inside, project.id, id);
      else if (!(await deleteAlias(inside, project.id, id))) throw new CodedError('NOT_FOUND', [things.alias(id)]);
      const after = await listAliases(inside, project.id);
      const target = { id: project.id, name: project.slug, project: project.slug };
      note(target, { before: { aliases: before }, after: { aliases: after } });
    });
  }
  const url = await publicUrl(config);
  const keys = (await listKeys(state, project.id)).filter((key) => key.isActive);
  const rows = (await listAliases(state, project.id)).map((alias) => ({
    alias,
    dsns: keys.map((key) => dsn(url, key.publicKey, alias)),
  }));
  print(
    rows,
    rows.length ? rows.map((row) => `${row.alias.padEnd(20)} ${row.dsns[0] ?? texts.noKey}`) : [texts.noAlias],
  );
}
