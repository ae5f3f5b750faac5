/** What stands in the fields of policies, and what is sent of it. Pure. */
import type {
  ProjectRetention,
  ProjectRetentionUpdate,
  Retention,
  RetentionUpdate,
} from '../../features/retention/queries.ts';
import { daysIn } from './fields.ts';

export interface PolicyFields {
  /** As many as there may be; those without a name are none. */
  readonly rows: readonly { readonly name: string; readonly days: string }[];
}

const most = 8;

export const policyFieldsOf = ({ policies }: Pick<Retention, 'policies'>): PolicyFields => ({
  rows: Array.from({ length: most }, (_, index) => {
    const { name = '', days = '' } = policies[index] ?? {};
    return { name, days: String(days) };
  }),
});

/** Those that are filled, and one to fill. */
export const shownRows = ({ rows }: PolicyFields): number =>
  Math.min(most, rows.findLastIndex(({ name, days }) => name !== '' || days !== '') + 2);

/** Undefined while one has a name and no age. */
export function policiesIn({ rows }: PolicyFields): RetentionUpdate | undefined {
  const policies = [];
  for (const row of rows) {
    const name = row.name.trim();
    if (name === '') continue;
    const days = daysIn(row.days);
    if (days === undefined || days === null) return undefined;
    policies.push({ name, days });
  }
  return { policies };
}

type Name = ProjectRetention['classes'][number]['name'];

/** Names of policies by class; '' for none. */
export type ChoiceFields = Readonly<Record<Name, string>>;

export const choiceFieldsOf = ({ classes }: Pick<ProjectRetention, 'classes'>): ChoiceFields =>
  Object.fromEntries(classes.map(({ name, policy }) => [name, policy ?? ''])) as ChoiceFields;

export const choicesIn = (fields: ChoiceFields): ProjectRetentionUpdate => ({
  classes: (Object.keys(fields) as Name[]).map((name) => ({ name, policy: fields[name] === '' ? null : fields[name] })),
});
