/** How long what each project has is kept: by its policies, else as the class is. */
import { eachClass, type KeptDays, type RetentionClass } from '../../base/retention.ts';
import type { State, StateTransaction } from '../../ports/state/state.ts';
import { type Choice, type NewPolicy, readChoices, readPolicies } from './policies.ts';
import { daysBy, readRules, type Rules } from './settings.ts';

/** Of a class. */
export interface Ages {
  /** Of projects that chose nothing. */
  readonly days: number;
  /** Of those that did. */
  readonly own: ReadonlyMap<number, number>;
}

type AllAges = Readonly<Record<RetentionClass, Ages>>;

export interface Chosen {
  readonly rules: Rules;
  readonly policies: readonly (NewPolicy & { readonly id: number | null })[];
  readonly choices: readonly Choice[];
}

interface Within {
  readonly db: State['db'] | StateTransaction;
}

export async function readChosen(within: Within): Promise<Chosen> {
  const [rules, policies, choices] = await Promise.all([readRules(within), readPolicies(within), readChoices(within)]);
  return { rules, policies, choices };
}

/** `retentionDays`: the configuration's, for classes of which nothing was chosen. */
export function agesBy({ rules, policies, choices }: Chosen, retentionDays: number): AllAges {
  const days = daysBy(rules, retentionDays);
  const daysOf = new Map(policies.map((policy) => [policy.id, policy.days]));
  return eachClass((name) => ({
    days: days[name],
    own: new Map(
      choices.flatMap((choice) => {
        const own = daysOf.get(choice.policyId);
        return choice.name === name && own !== undefined ? [[choice.projectId, own]] : [];
      }),
    ),
  }));
}

export const agesOf = async (within: Within, retentionDays: number): Promise<AllAges> =>
  agesBy(await readChosen(within), retentionDays);

export const daysFor = ({ days, own }: Ages, projectId: number): number => own.get(projectId) ?? days;

/** Parts have rows of all projects: they go as a whole once nobody keeps any of them. */
export const longestOf = ({ days, own }: Ages): number => Math.max(days, ...own.values());

export const longestDays = (ages: AllAges): KeptDays => eachClass((name) => longestOf(ages[name]));
