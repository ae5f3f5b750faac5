/** The audit log for commands that change something: who ran them is whoever may write to the data directory. */
import { userInfo } from 'node:os';
import type { Config } from '../base/config.ts';
import { CodedError } from '../base/errors.ts';
import { findSecrets, openSecrets, type TextBox, textBox } from '../base/secrets/index.ts';
import { general } from '../base/texts/cli.ts';
import { type Action, type Audit, createAudit, type Deed, type Seal, sealOf } from '../domains/audit/index.ts';
import { rememberedKey } from '../ports/state/key-claim.ts';
import type { State, StateTransaction } from '../ports/state/state.ts';

/** Undefined where this shell has not the key of the server: what it writes is not sealed then. */
export async function sealHere(config: Config, state: State): Promise<Seal | undefined> {
  const remembered = await rememberedKey(state);
  // Before the first start nobody has made one.
  const secrets = remembered === undefined ? await openSecrets(config) : await findSecrets(config);
  return secrets && (remembered ?? secrets.fingerprint) === secrets.fingerprint ? sealOf(secrets) : undefined;
}

export const openAudit = async (config: Config, state: State): Promise<Audit> =>
  createAudit(state, await sealHere(config, state));

/** Of the key that the server has: with another one it could not read what is sealed here. */
export async function boxHere(config: Config, state: State): Promise<TextBox> {
  const secrets = await findSecrets(config);
  const remembered = await rememberedKey(state);
  if (!secrets || (remembered ?? secrets.fingerprint) !== secrets.fingerprint)
    throw new CodedError('KEY_UNUSABLE', [secrets?.source ?? config.dataDir, general.noKey]);
  return textBox(secrets.box('stored secret'));
}

function userHere(): string {
  try {
    return userInfo().username;
  } catch {
    // A number without a name, as in many containers.
    return String(process.getuid?.() ?? '');
  }
}

/** `culprit NAME` on this machine. */
export const byCommand = (name: string): Pick<Deed, 'actor' | 'source'> => ({
  actor: { type: 'host', name: userHere() },
  source: { agent: `culprit ${name}` },
});

/** What was done with the account of somebody, in the log of each of their organisations. */
export async function tellOfUser(
  audit: Audit,
  trx: StateTransaction,
  by: Pick<Deed, 'actor' | 'source'>,
  { email, action }: { readonly email: string; readonly action: Action },
): Promise<void> {
  const name = email.toLowerCase();
  const members = await trx
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.userId')
    .select('member.organizationId')
    .where('user.email', '=', name)
    .execute();
  const deed = { ...by, action, target: { id: name, name } };
  await audit.record(
    trx,
    members.map(({ organizationId }) => ({ ...deed, organizationId })),
  );
}
