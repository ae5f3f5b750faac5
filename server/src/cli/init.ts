import { dsn } from '../base/dsn.ts';
import { listKeys } from '../domains/projects/index.ts';
import { type Command, UsageError } from './command.ts';
import { expiresFrom, expiresOption } from './expires.ts';
import { openMigratedState, publicUrl, readStdin } from './stores.ts';

export const initCommand: Command = {
  name: 'init',
  summary: 'Sets up an installation without a browser: owner, organisation, project, and an API token.',
  usage: '--email EMAIL --password-stdin --org NAME --project NAME [--platform P] [--expires WHEN] [--json]',
  options: {
    email: { type: 'string', placeholder: 'EMAIL', help: 'of the owner' },
    name: { type: 'string', placeholder: 'NAME', help: 'of the owner (default: the part before the @)' },
    'password-stdin': { type: 'boolean', help: 'read the password from standard input' },
    org: { type: 'string', placeholder: 'NAME', help: 'name of the organisation' },
    project: { type: 'string', placeholder: 'NAME', help: 'name of the first project' },
    platform: {
      type: 'string',
      placeholder: 'PLATFORM',
      help: 'what it runs on, e.g. javascript-react or node-express',
    },
    expires: { ...expiresOption, help: `of the API token: ${expiresOption.help}` },
  },
  examples: [
    'echo "$PASSWORD" | culprit init --email ada@example.com --password-stdin --org Acme --project Web',
    'echo "$PASSWORD" | culprit init --email ada@example.com --password-stdin --org Acme --project Web --json | jq -r .dsn',
  ],
  async run({ config, required, text, flag, print }) {
    const input = { email: required('email'), organization: required('org'), project: required('project') };
    if (!flag('password-stdin'))
      throw new UsageError(
        '--password-stdin is needed: the password is read from standard input, where no process list shows it',
      );
    const password = await readStdin();
    const expiresAt = await expiresFrom(text('expires'));
    const { createAccounts, expiryInWords, scopesOfRole } = await import('../domains/accounts/index.ts');
    await using state = await openMigratedState(config);
    const url = await publicUrl(config);
    const accounts = await createAccounts({ state, getUrl: () => url });
    const { user, organization, project } = await accounts.setUp({
      ...input,
      password,
      name: text('name'),
      platform: text('platform'),
    });
    const [key] = await listKeys(state, project.id);
    if (!key) throw new Error('the new project has no key');
    const { token, ...made } = await accounts.createToken({
      organizationId: organization.id,
      userId: user.id,
      name: 'culprit init',
      scopes: scopesOfRole('owner'),
      expiresAt,
    });
    const installed = {
      url,
      dsn: dsn(url, key.publicKey, project.id),
      token,
      organization: organization.slug,
      project: project.slug,
    };
    print(installed, [
      `Culprit is set up for ${input.email}.`,
      '',
      `  address       ${installed.url}`,
      `  DSN           ${installed.dsn}`,
      `  API token     ${installed.token}   (shown only now; ${expiryInWords(made.expiresAt, Date.now())})`,
      `  organisation  ${installed.organization}`,
      `  project       ${installed.project}`,
      '',
      'Start it with "culprit serve".',
    ]);
  },
};
