import { dsn } from '../base/dsn.ts';
import { createProject, listKeys, listProjects } from '../domains/projects/index.ts';
import { byCommand, openAudit } from './audited.ts';
import { type Command, UsageError } from './command.ts';
import { findOrganization, openMigratedState, publicUrl } from './stores.ts';
import { general, project as texts } from '../base/texts/cli.ts';

export const projectCommand: Command = {
  name: 'project',
  summary: texts.summary,
  usage: 'list | create NAME [--platform P] [--org SLUG] [--json]',
  options: {
    org: { type: 'string', placeholder: 'SLUG', help: general.organization },
    platform: {
      type: 'string',
      placeholder: 'PLATFORM',
      help: general.platform,
    },
  },
  words: 2,
  examples: ['culprit project list', 'culprit project create "Web shop" --platform javascript-nextjs'],
  async run({ config, words, text, print }) {
    const [action = 'list', name] = words;
    if (!['list', 'create'].includes(action) || (action === 'list' && name !== undefined))
      throw new UsageError(general.actions(['list', 'create NAME']));
    if (action === 'create' && !name) throw new UsageError(texts.nameNeeded);
    await using state = await openMigratedState(config);
    const organization = await findOrganization(state, text('org'));
    const url = await publicUrl(config);
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
