import type { AuditFilters, AuditLog } from '../../features/audit/queries.ts';
import { nounsOf, sentenceWithoutTarget, verbsOf } from '../../features/audit/words.ts';
import * as m from '../../messages/audit.ts';
import { Chip, Chips } from '../../ui/Chip.tsx';
import { InlineSelect } from '../../ui/Field.tsx';
import { SearchInput, Toolbar } from '../../ui/Toolbar.tsx';

const ranges = Object.entries(m.ranges) as [NonNullable<AuditFilters['range']>, string][];

/** What of the log is shown: all of it is in the address. */
export function AuditFilterBar({
  filters,
  log,
  onChange,
}: {
  readonly filters: AuditFilters;
  /** Undefined while it is loading. */
  readonly log: AuditLog | undefined;
  readonly onChange: (change: AuditFilters) => void;
}) {
  const { action = '', actor = '', target, address = '', range = '' } = filters;
  const actions = log?.actions ?? [];
  const noun = action.split('.', 1)[0] ?? '';
  const verbs = verbsOf(actions, noun);
  return (
    <>
      <Toolbar label={m.filters} bare>
        <SearchInput
          key={address}
          label={m.address}
          placeholder={m.addressPlaceholder}
          defaultValue={address}
          onSearch={(text) => onChange({ address: text || undefined })}
        />
        <InlineSelect
          label={m.action}
          value={noun}
          onChange={({ target: { value } }) => onChange({ action: value || undefined })}
        >
          <option value="">{m.anyAction}</option>
          {nounsOf(actions).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </InlineSelect>
        {verbs.length > 1 && (
          <InlineSelect label={m.what} value={action} onChange={({ target: { value } }) => onChange({ action: value })}>
            <option value={noun}>{m.anyAction}</option>
            {verbs.map((each) => (
              <option key={each} value={each}>
                {sentenceWithoutTarget(each)}
              </option>
            ))}
          </InlineSelect>
        )}
        <InlineSelect
          label={m.actor}
          value={actor}
          onChange={({ target: { value } }) => onChange({ actor: value || undefined })}
        >
          <option value="">{m.anyActor}</option>
          {actor && !log?.actors.some(({ key }) => key === actor) && (
            <option value={actor} translate="no">
              {actor}
            </option>
          )}
          {log?.actors.map(({ key, name }) => (
            <option key={key} value={key} translate={name === null ? undefined : 'no'}>
              {name ?? wordOf(key)}
            </option>
          ))}
        </InlineSelect>
        <InlineSelect
          label={m.time}
          value={range}
          onChange={({ target: { value } }) => onChange({ range: ranges.find(([each]) => each === value)?.[0] })}
        >
          <option value="">{m.anyTime}</option>
          {ranges.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </InlineSelect>
      </Toolbar>
      {target !== undefined && (
        <Chips label={m.filters}>
          <Chip
            name={m.target}
            removes
            aria-label={m.removeTarget({ target })}
            onClick={() => onChange({ target: undefined })}
          >
            <span translate="no">{target}</span>
          </Chip>
        </Chips>
      )}
    </>
  );
}

const wordOf = (key: string): string => {
  const words: Readonly<Record<string, string>> = m.actors;
  return words[key] ?? key;
};
