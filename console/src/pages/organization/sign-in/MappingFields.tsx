import type { MappingRow } from '../../../features/providers/queries.ts';
import * as roleWords from '../../../messages/roles.ts';
import * as m from '../../../messages/sign-in-providers.ts';
import { Button, IconButton } from '../../../ui/Button.tsx';
import { fieldLabelClass, InlineInput, InlineSelect } from '../../../ui/Field.tsx';
import { AddIcon, CloseIcon } from '../../../ui/icons.ts';
import { Columns, Inline, Stack } from '../../../ui/Layout.tsx';
import { Text } from '../../../ui/Text.tsx';

type Role = NonNullable<MappingRow['role']>;

const roles = Object.keys(roleWords.names) as Role[];
const maxRows = 200;

const nextKey = (rows: readonly EditedRow[]): number => Math.max(0, ...rows.map(({ key }) => key)) + 1;

/** A row of the form, which keeps its key while others come and go. */
export type EditedRow = MappingRow & { readonly key: number };

/** What members of groups at the provider become here: a role, a team, or both. */
export function MappingFields({
  rows,
  teams,
  onChange,
}: {
  readonly rows: readonly EditedRow[];
  readonly teams: readonly { readonly slug: string; readonly name: string }[];
  readonly onChange: (rows: readonly EditedRow[]) => void;
}) {
  const change = (at: number, part: Partial<MappingRow>): void =>
    onChange(rows.map((row, index) => (index === at ? { ...row, ...part } : row)));
  return (
    <Stack gap={8}>
      <span className={fieldLabelClass}>{m.mapping}</span>
      <Text tone="faint" small>
        {m.mappingHint}
      </Text>
      {rows.map((row, index) => (
        <Columns key={row.key} min={150} gap={8}>
          <InlineInput
            label={m.groupOf({ number: String(index + 1) })}
            value={row.value}
            placeholder={m.group}
            maxLength={300}
            onChange={(event) => change(index, { value: event.target.value })}
          />
          <InlineSelect
            label={m.role}
            value={row.role ?? ''}
            onChange={(event) => change(index, { role: (event.target.value || null) as Role | null })}
          >
            <option value="">{m.noRole}</option>
            {roles.map((role) => (
              <option key={role} value={role}>
                {roleWords.names[role]}
              </option>
            ))}
          </InlineSelect>
          <Inline>
            {teams.length > 0 && (
              <InlineSelect
                label={m.team}
                value={row.team ?? ''}
                onChange={(event) => change(index, { team: event.target.value || null })}
              >
                <option value="">{m.noTeam}</option>
                {teams.map(({ slug, name }) => (
                  <option key={slug} value={slug} translate="no">
                    {name}
                  </option>
                ))}
              </InlineSelect>
            )}
            <IconButton
              size="small"
              icon={<CloseIcon size={14} />}
              label={m.removeGroup({ number: String(index + 1) })}
              onClick={() => onChange(rows.filter((_row, at) => at !== index))}
            />
          </Inline>
        </Columns>
      ))}
      {rows.length < maxRows && (
        <Inline>
          <Button
            size="small"
            icon={<AddIcon size={14} />}
            onClick={() => onChange([...rows, { key: nextKey(rows), value: '', role: null, team: null }])}
          >
            {m.addGroup}
          </Button>
        </Inline>
      )}
    </Stack>
  );
}
