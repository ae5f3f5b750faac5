import type { Scope } from '../domains/accounts/index.ts';
import { CodedError } from '../base/errors.ts';
import { type Command, UsageError } from './command.ts';
import { expiresFrom, expiresOption } from './expires.ts';
import { findOrganization, openMigratedState, publicUrl } from './stores.ts';

export const tokenCommand: Command = {
  name: 'token',
  summary: 'Makes, lists or deletes API tokens of a user, and those of the organisation for its builds.',
  usage:
    'create --user EMAIL [--name NAME] [--scopes A,B | --organization-token] [--expires WHEN] | list --user EMAIL | delete ID --user EMAIL',
  options: {
    user: { type: 'string', placeholder: 'EMAIL', help: 'whose token' },
    org: { type: 'string', placeholder: 'SLUG', help: 'organisation (default: the only one)' },
    name: { type: 'string', placeholder: 'NAME', help: 'to recognise it by' },
    scopes: { type: 'string', placeholder: 'A,B', help: 'what it may do (default: all that the user may)' },
    'organization-token': {
      type: 'boolean',
      help: 'one for builds: it uploads, and needs no other setting',
    },
    expires: expiresOption,
  },
  words: 2,
  examples: [
    'culprit token create --user ada@example.com --name ci --scopes project:releases,org:read',
    'culprit token create --user ada@example.com --name builds --organization-token --expires 2027-01-01',
    'culprit token list --user ada@example.com',
  ],
  async run({ config, words, required, text, flag, print }) {
    const [action, id] = words;
    if (action !== 'create' && action !== 'list' && action !== 'delete')
      throw new UsageError('say "create", "list" or "delete"');
    if (action === 'delete' ? !/^\d{1,9}$/.test(id ?? '') : id !== undefined)
      throw new UsageError(
        action === 'delete' ? 'the ID of the token is needed; "list" shows it' : `"${id}" is one word too many`,
      );
    const email = required('user');
    const { createAccounts, expiryInWords, scopesOfRole } = await import('../domains/accounts/index.ts');
    const scopes = readScopes(text('scopes'), scopesOfRole('owner'));
    const ofOrganization = flag('organization-token');
    if (ofOrganization && scopes) throw new UsageError('an organisation token always has the scope org:ci');
    const expiresAt = await expiresFrom(text('expires'));
    await using state = await openMigratedState(config);
    const url = await publicUrl(config);
    const accounts = await createAccounts({ state, getUrl: () => url });
    const organization = await findOrganization(state, text('org'));
    const user = await state.db
      .selectFrom('user')
      .select('id')
      .where('email', '=', email.toLowerCase())
      .executeTakeFirst();
    if (!user) throw new CodedError('NOT_FOUND', [`user "${email}"`]);
    if (action === 'create') {
      const name = text('name') ?? 'command line';
      const member = await state.db
        .selectFrom('member')
        .select('role')
        .where('userId', '=', user.id)
        .where('organizationId', '=', organization.id)
        .executeTakeFirst();
      const made = await accounts.createToken({
        organizationId: organization.id,
        userId: user.id,
        name,
        kind: ofOrganization ? 'organization' : 'user',
        scopes: scopes ?? scopesOfRole(member?.role ?? ''),
        expiresAt,
      });
      print(made, [
        made.token,
        '',
        `It is shown only now; keep it where secrets are kept. (${expiryInWords(made.expiresAt, Date.now())})`,
      ]);
      return;
    }
    const owner = { organizationId: organization.id, userId: user.id, shared: true };
    if (action === 'delete') {
      const deleted = await accounts.deleteToken({ ...owner, id: Number(id) });
      if (!deleted) throw new CodedError('NOT_FOUND', [`token "${id}"`]);
      print({ deleted: Number(id) }, [`Deleted the token ${id}.`]);
      return;
    }
    const tokens = await accounts.listTokens(owner);
    const now = Date.now();
    print(
      tokens,
      tokens.map(
        (token) =>
          `${String(token.id).padEnd(6)} …${token.hint}  ${token.kind.padEnd(13)} ${token.name.padEnd(24)} ${expiryInWords(token.expiresAt, now).padEnd(19)} ${token.scopes.join(',')}`,
      ),
    );
  },
};

function readScopes(list: string | undefined, known: readonly Scope[]): readonly Scope[] | undefined {
  return list?.split(',').map((word) => {
    const scope = known.find((candidate) => candidate === word.trim());
    if (!scope) throw new UsageError(`there is no scope "${word}"; there are ${known.join(', ')}`);
    return scope;
  });
}
