import { AddIcon, RemoveIcon } from '../../ui/icons.ts';
import { conditionOf, isMeasured, windows, type ConditionDraft } from '../../features/alerts/draft.ts';
import { conditionHelp, conditionWords, span } from '../../features/alerts/words.ts';
import type { AlertCondition } from '../../features/alerts/queries.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { InlineSelect } from '../../ui/Field.tsx';
import { Menu, MenuItem } from '../../ui/Menu.tsx';
import { Section } from '../../ui/Page.tsx';
import type { PartProps } from './RuleForm.tsx';
import styles from './RulePage.module.css';

const types = Object.keys(conditionWords) as AlertCondition['type'][];
const maxConditions = 10;

/** What has to happen, each condition a sentence with its numbers in it. */
export function Conditions({ draft, problems, onChange }: PartProps) {
  const { conditions, match } = draft;
  const change = (key: number, changes: Partial<ConditionDraft>): void =>
    onChange({ conditions: conditions.map((each) => (each.key === key ? { ...each, ...changes } : each)) });
  const add = (type: AlertCondition['type']): void =>
    onChange({ conditions: [...conditions, conditionOf(type, Math.max(0, ...conditions.map(({ key }) => key)) + 1)] });
  return (
    <Section
      title="When"
      actions={
        conditions.length > 1 && (
          <InlineSelect
            label="How many of the conditions must hold"
            value={match}
            onChange={(event) => onChange({ match: event.target.value === 'all' ? 'all' : 'any' })}
          >
            <option value="any">any of these holds</option>
            <option value="all">all of these hold</option>
          </InlineSelect>
        )
      }
    >
      <ul className={styles.conditions} aria-label="Conditions">
        {conditions.map((condition, index) => {
          const problem = problems[`conditions.${index}`];
          return (
            <li key={condition.key}>
              <div className={styles.condition}>
                <p>
                  <Sentence condition={condition} isWrong={problem !== undefined} onChange={change} />
                </p>
                <IconButton
                  size="small"
                  label={`Remove “${conditionWords[condition.type]}”`}
                  tip="Remove"
                  icon={<RemoveIcon size={14} />}
                  onClick={() => onChange({ conditions: conditions.filter(({ key }) => key !== condition.key) })}
                />
              </div>
              <p className={problem ? styles.wrong : styles.faint} role={problem ? 'alert' : undefined}>
                {problem ?? conditionHelp[condition.type]}
              </p>
            </li>
          );
        })}
      </ul>
      {problems['conditions'] && (
        <p className={styles.wrong} role="alert">
          {problems['conditions']}
        </p>
      )}
      {conditions.length < maxConditions && (
        <Menu
          label="Add a condition"
          renderTrigger={(props) => (
            <Button {...props} size="small" icon={<AddIcon size={14} />}>
              Add a condition
            </Button>
          )}
        >
          {types
            .filter((type) => isMeasured(type) || !conditions.some((each) => each.type === type))
            .map((type) => (
              <MenuItem key={type} onSelect={() => add(type)}>
                {conditionWords[type].charAt(0).toUpperCase() + conditionWords[type].slice(1)}
              </MenuItem>
            ))}
        </Menu>
      )}
    </Section>
  );
}

function Sentence({
  condition,
  isWrong,
  onChange,
}: {
  readonly condition: ConditionDraft;
  readonly isWrong: boolean;
  readonly onChange: (key: number, changes: Partial<ConditionDraft>) => void;
}) {
  const { key, type, count, minutes, digest } = condition;
  const number = (label: string) => (
    <input
      className={styles.number}
      inputMode="decimal"
      aria-label={label}
      aria-invalid={isWrong || undefined}
      value={count}
      maxLength={12}
      autoComplete="off"
      onChange={(event) => onChange(key, { count: event.target.value })}
    />
  );
  const within = (
    <select
      className={styles.choice}
      aria-label="Within"
      value={minutes}
      onChange={(event) => onChange(key, { minutes: Number(event.target.value) })}
    >
      {[...new Set([...windows, minutes])]
        .toSorted((a, b) => a - b)
        .map((each) => (
          <option key={each} value={each}>
            {span(each)}
          </option>
        ))}
    </select>
  );
  switch (type) {
    case 'event_frequency':
      return (
        <>
          When an issue is seen at least {number('Events')} times in {within}
        </>
      );
    case 'user_frequency':
      return (
        <>
          When an issue affects at least {number('Users')} users in {within}
        </>
      );
    case 'session_share':
      return (
        <>
          When an issue has at least {number('Events for each 100 sessions')} events for each 100 sessions in {within}
        </>
      );
    case 'watched_digest':
      return (
        <>
          When digest{' '}
          <input
            className={styles.digest}
            inputMode="numeric"
            aria-label="Digest"
            aria-invalid={isWrong || undefined}
            placeholder="any that is watched"
            value={digest}
            maxLength={20}
            autoComplete="off"
            onChange={(event) => onChange(key, { digest: event.target.value.trim() })}
          />{' '}
          is seen
        </>
      );
    default:
      return <>When {conditionWords[type]}</>;
  }
}
