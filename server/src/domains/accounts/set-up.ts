/** The first visit: an owner, an organisation and a project with a key, all or nothing. */
import { CodedError } from '../../base/errors.ts';
import { checked, insertProject } from '../projects/index.ts';
import type { Project, ProjectKey } from '../projects/index.ts';
import type { State, StateTransaction } from '../../ports/state/state.ts';
import { newSetUp } from './input.ts';
import { insertOrganization, type Organization } from './organizations.ts';
import { hashNewPassword } from './passwords/new.ts';
import { insertMember, insertUser } from './users.ts';
import type { User } from './users.ts';

export interface SetUp {
  readonly email: string;
  readonly password: string;
  /** The part of the address before the @ when left out. */
  readonly name?: string;
  readonly organization: string;
  readonly project: string;
  readonly platform?: string;
}

export interface SetUpResult {
  readonly user: User;
  readonly organization: Organization;
  readonly project: Project;
  readonly key: ProjectKey;
}

export async function hasUsers(state: State): Promise<boolean> {
  return (await state.db.selectFrom('user').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** Throws `SETUP_DONE` once there is a user, also for the later one of two at once; `INPUT_INVALID` says what to correct. */
export async function setUp(
  state: State,
  fields: SetUp,
  also?: (trx: StateTransaction, made: SetUpResult) => Promise<unknown>,
): Promise<SetUpResult> {
  const input = checked(newSetUp, fields);
  // Hashing is costly on purpose; nobody shall make us do it for nothing.
  if (await hasUsers(state)) throw new CodedError('SETUP_DONE');
  const names = [input.name ?? '', input.organization, input.project];
  const passwordHash = await hashNewPassword(state, input.password, { email: input.email, names });
  return state.transaction(async (trx) => {
    if (await trx.selectFrom('user').select('id').limit(1).executeTakeFirst()) throw new CodedError('SETUP_DONE');
    const organization = await insertOrganization(trx, input.organization);
    const user = await insertUser(trx, { email: input.email, name: input.name, passwordHash });
    await insertMember(trx, { organizationId: organization.id, userId: user.id, role: 'owner' });
    await trx.insertInto('installation_owner').values({ user_id: user.id }).execute();
    const { project, key } = await insertProject(trx, {
      organizationId: organization.id,
      name: input.project,
      platform: input.platform,
    });
    const made = { user, organization, project, key };
    await also?.(trx, made);
    return made;
  });
}
