import { AddIcon, RemoveIcon } from '../../ui/icons.ts';
import { conditionOf, isMeasured, withOwn, windows, type ConditionDraft } from '../../features/alerts/draft.ts';
import { span } from '../../features/alerts/words.ts';
import type { AlertCondition } from '../../features/alerts/queries.ts';
import * as m from '../../messages/alerts.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { DataList, DataRow } from '../../ui/DataList.tsx';
import { InlineSelect } from '../../ui/Field.tsx';
import { Menu, MenuItem } from '../../ui/Menu.tsx';
import { Section } from '../../ui/Page.tsx';
import { PartNote } from './PartNote.tsx';
import type { PartProps } from './RuleForm.tsx';
import styles from './RulePage.module.css';

const types = Object.keys(m.conditions) as AlertCondition['type'][];
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
      title={m.conditionsTitle}
      actions={
        conditions.length > 1 && (
          <InlineSelect
            label={m.match}
            value={match}
            onChange={(event) => onChange({ match: event.target.value === 'all' ? 'all' : 'any' })}
          >
            <option value="any">{m.matches.any}</option>
            <option value="all">{m.matches.all}</option>
          </InlineSelect>
        )
      }
    >
      {conditions.length > 0 && (
        <DataList label={m.conditionsTitle}>
          {conditions.map((condition, index) => {
            const problem = problems[`conditions.${index}`];
            const { key, type } = condition;
            return (
              <DataRow
                key={key}
                title={<Sentence condition={condition} isWrong={problem !== undefined} onChange={change} />}
                facts={<PartNote problem={problem}>{m.conditionHelp[type]}</PartNote>}
                actions={
                  <IconButton
                    size="small"
                    label={m.removeCondition({ condition: m.conditions[type] })}
                    tip={m.remove}
                    icon={<RemoveIcon size={14} />}
                    onClick={() => onChange({ conditions: conditions.filter((each) => each.key !== key) })}
                  />
                }
              />
            );
          })}
        </DataList>
      )}
      <PartNote problem={problems['conditions']} />
      {conditions.length < maxConditions && (
        <div>
          <Menu
            label={m.addCondition}
            renderTrigger={(props) => (
              <Button {...props} size="small" icon={<AddIcon size={14} />}>
                {m.addCondition}
              </Button>
            )}
          >
            {types
              .filter((type) => isMeasured(type) || !conditions.some((each) => each.type === type))
              .map((type) => (
                <MenuItem key={type} onSelect={() => add(type)}>
                  {m.conditions[type]}
                </MenuItem>
              ))}
          </Menu>
        </div>
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
  const invalid = isWrong || undefined;
  const number = (label: string) => (
    <input
      className={cx(styles.inSentence, styles.amount)}
      inputMode="decimal"
      aria-label={label}
      aria-invalid={invalid}
      value={count}
      maxLength={12}
      autoComplete="off"
      onChange={(event) => onChange(key, { count: event.target.value })}
    />
  );
  const window = (
    <select
      className={styles.inSentence}
      aria-label={m.window}
      value={minutes}
      onChange={(event) => onChange(key, { minutes: Number(event.target.value) })}
    >
      {withOwn(windows, minutes).map((each) => (
        <option key={each} value={each}>
          {span(each)}
        </option>
      ))}
    </select>
  );
  switch (type) {
    case 'event_frequency':
      return m.whenEvents({ number: number(m.events), window });
    case 'user_frequency':
      return m.whenUsers({ number: number(m.users), window });
    case 'session_share':
      return m.whenSessions({ number: number(m.eventsPerSessions), window });
    case 'watched_digest':
      return m.whenDigest({
        digest: (
          <input
            className={cx(styles.inSentence, styles.digest)}
            inputMode="numeric"
            aria-label={m.digest}
            aria-invalid={invalid}
            placeholder={m.anyDigest}
            value={digest}
            maxLength={20}
            autoComplete="off"
            onChange={(event) => onChange(key, { digest: event.target.value.trim() })}
          />
        ),
      });
    default:
      return m.conditions[type];
  }
}
