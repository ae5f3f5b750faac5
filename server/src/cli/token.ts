import type { Scope } from '../domains/accounts/index.ts';
import { CodedError } from '../base/errors.ts';
import { quoted, things } from '../base/texts/things.ts';
import { byCommand, openAudit } from './audited.ts';
import { type Command, UsageError } from './command.ts';
import { expiresFrom, expiresOption } from './expires.ts';
import { findOrganization, openInstallation, publicUrl } from './stores.ts';
import { general, token as texts } from '../base/texts/cli.ts';

export const tokenCommand: Command = {
  name: 'token',
  summary: texts.summary,
  usage:
    'create --user EMAIL [--name NAME] [--scopes A,B | --organization-token] [--expires WHEN] | list --user EMAIL | delete ID --user EMAIL',
  options: {
    user: { type: 'string', placeholder: 'EMAIL', help: texts.user },
    org: { type: 'string', placeholder: 'SLUG', help: general.organization },
    name: { type: 'string', placeholder: 'NAME', help: texts.name },
    scopes: { type: 'string', placeholder: 'A,B', help: texts.scopes },
    'organization-token': {
      type: 'boolean',
      help: texts.ofOrganization,
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
      throw new UsageError(general.actions(['create', 'list', 'delete']));
    if (action === 'delete' ? !/^\d{1,9}$/.test(id ?? '') : id !== undefined)
      throw new UsageError(action === 'delete' ? texts.idNeeded : general.surplus(id ?? ''));
    const email = required('user');
    const { createAccounts, expiryInWords, scopesOfRole } = await import('../domains/accounts/index.ts');
    const scopes = readScopes(text('scopes'), scopesOfRole('owner'));
    const ofOrganization = flag('organization-token');
    if (ofOrganization && scopes) throw new UsageError(texts.scopeFixed);
    const expiresAt = await expiresFrom(text('expires'));
    await using state = await openInstallation(config);
    const url = await publicUrl(config);
    const accounts = await createAccounts({ state, getUrl: () => url });
    const organization = await findOrganization(state, text('org'));
    const user = await state.db
      .selectFrom('user')
      .select('id')
      .where('email', '=', email.toLowerCase())
      .executeTakeFirst();
    if (!user) throw new CodedError('NOT_FOUND', [things.user(quoted(email))]);
    const audit = await openAudit(config, state);
    const deed = { ...byCommand(`token ${action}`), organizationId: organization.id };
    if (action === 'create') {
      const name = text('name') ?? texts.defaultName;
      const member = await state.db
        .selectFrom('member')
        .select('role')
        .where('userId', '=', user.id)
        .where('organizationId', '=', organization.id)
        .executeTakeFirst();
      const input = {
        organizationId: organization.id,
        userId: user.id,
        name,
        kind: ofOrganization ? 'organization' : 'user',
        scopes: scopes ?? scopesOfRole(member?.role ?? ''),
        expiresAt,
      } as const;
      const made = await audit.recorded({ ...deed, action: 'token.create' }, async (inside, note) => {
        const created = await accounts.createToken(input, inside);
        note(created, { details: { kind: created.kind, scopes: created.scopes, owner: email } });
        return created;
      });
      print(made, [made.token, '', texts.shownOnce(expiryInWords(made.expiresAt, Date.now()))]);
      return;
    }
    const owner = { organizationId: organization.id, userId: user.id, shared: true };
    if (action === 'delete') {
      await audit.recorded({ ...deed, action: 'token.delete' }, async (inside, note) => {
        const deleted = await accounts.deleteToken({ ...owner, id: Number(id) }, inside);
        if (!deleted) throw new CodedError('NOT_FOUND', [things.token(quoted(id ?? ''))]);
        note(deleted, { details: { kind: deleted.kind, owner: email } });
      });
      print({ deleted: Number(id) }, [texts.deleted(Number(id))]);
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
    if (!scope) throw new UsageError(texts.unknownScope(word, known));
    return scope;
  });
}
