import { dsn } from '../base/dsn.ts';
import { listKeys } from '../domains/projects/index.ts';
import { setUpEntry } from '../domains/audit/index.ts';
import { byCommand, openAudit } from './audited.ts';
import { type Command, UsageError } from './command.ts';
import { expiresFrom, expiresOption } from './expires.ts';
import { openMigratedState, publicUrl, readStdin } from './stores.ts';
import { general, init as texts } from '../base/texts/cli.ts';

export const initCommand: Command = {
  name: 'init',
  summary: texts.summary,
  usage: '--email EMAIL --password-stdin --org NAME --project NAME [--platform P] [--expires WHEN] [--json]',
  options: {
    email: { type: 'string', placeholder: 'EMAIL', help: texts.email },
    name: { type: 'string', placeholder: 'NAME', help: texts.name },
    'password-stdin': { type: 'boolean', help: general.passwordStdin },
    org: { type: 'string', placeholder: 'NAME', help: texts.organization },
    project: { type: 'string', placeholder: 'NAME', help: texts.project },
    platform: {
      type: 'string',
      placeholder: 'PLATFORM',
      help: general.platform,
    },
    expires: { ...expiresOption, help: texts.expires + expiresOption.help },
  },
  examples: [
    'echo "$PASSWORD" | culprit init --email ada@example.com --password-stdin --org Acme --project Web',
    'echo "$PASSWORD" | culprit init --email ada@example.com --password-stdin --org Acme --project Web --json | jq -r .dsn',
  ],
  async run({ config, required, text, flag, print }) {
    const input = { email: required('email'), organization: required('org'), project: required('project') };
    if (!flag('password-stdin')) throw new UsageError(general.passwordStdinNeeded);
    const password = await readStdin();
    const expiresAt = await expiresFrom(text('expires'));
    const { createAccounts, expiryInWords, scopesOfRole } = await import('../domains/accounts/index.ts');
    await using state = await openMigratedState(config);
    const url = await publicUrl(config);
    const accounts = await createAccounts({ state, getUrl: () => url });
    const settings = {
      ...input,
      password,
      name: text('name'),
      platform: text('platform'),
    };
    const audit = await openAudit(config, state);
    const deed = byCommand('init');
    const { user, organization, project } = await accounts.setUp(settings, (trx, made) =>
      audit.record(trx, [setUpEntry(made, deed)]),
    );
    const [key] = await listKeys(state, project.id);
    if (!key) throw new Error('the new project has no key');
    const { token, ...made } = await audit.recorded(
      { ...deed, organizationId: organization.id, action: 'token.create' },
      async (inside, note) => {
        const scopes = scopesOfRole('owner');
        const input = { organizationId: organization.id, userId: user.id, name: texts.tokenName, scopes, expiresAt };
        const created = await accounts.createToken(input, inside);
        note(created, { details: { kind: created.kind, scopes } });
        return created;
      },
    );
    const installed = {
      url,
      dsn: dsn(url, key.publicKey, project.id),
      token,
      organization: organization.slug,
      project: project.slug,
    };
    print(installed, [
      texts.done(input.email),
      '',
      line(texts.labels.url, installed.url),
      line(texts.labels.dsn, installed.dsn),
      line(texts.labels.token, `${installed.token}   ${texts.shownOnce(expiryInWords(made.expiresAt, Date.now()))}`),
      line(texts.labels.organization, installed.organization),
      line(texts.labels.project, installed.project),
      '',
      texts.next,
    ]);
  },
};

const line = (label: string, value: string): string => `  ${label.padEnd(13)} ${value}`;
