import { useQuery } from '@tanstack/react-query';
import type { IncomingWebhook } from '../../features/incoming-webhooks/queries.ts';
import { projectsQuery } from '../../features/projects/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/incoming-webhooks.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Choice, ChoiceGroup } from '../../ui/Choice.tsx';
import { fieldLabelClass, TextField } from '../../ui/Field.tsx';
import { AddIcon, CloseIcon } from '../../ui/icons.ts';
import { Columns, Inline, Stack } from '../../ui/Layout.tsx';

const maxRows = 100;

/** A row of the form, which keeps its key while others come and go. */
export interface EditedMapping {
  readonly key: number;
  readonly match: string;
  readonly version: string;
  /** Slugs. */
  readonly projects: readonly string[];
  /** Separated by commas. */
  readonly environments: string;
}

export const firstMapping: EditedMapping = { key: 0, match: '', version: '{commit}', projects: [], environments: '' };

export const isWhole = ({ match, version, projects }: EditedMapping): boolean =>
  match.trim() !== '' && version.trim() !== '' && projects.length > 0;

/** Which projects a repository or site is of, and what its releases are called. */
export function IncomingMappings({
  provider,
  rows,
  onChange,
}: {
  readonly provider: IncomingWebhook['provider'];
  readonly rows: readonly EditedMapping[];
  readonly onChange: (rows: readonly EditedMapping[]) => void;
}) {
  const change = (at: number, part: Partial<EditedMapping>): void =>
    onChange(rows.map((row, index) => (index === at ? { ...row, ...part } : row)));
  const nextKey = Math.max(0, ...rows.map(({ key }) => key)) + 1;
  return (
    <Stack gap={16}>
      {rows.map((row, index) => (
        <MappingFields
          key={row.key}
          number={String(index + 1)}
          provider={provider}
          row={row}
          onChange={(part) => change(index, part)}
          onRemove={() => onChange(rows.filter((_row, at) => at !== index))}
        />
      ))}
      {rows.length < maxRows && (
        <Inline>
          <Button
            size="small"
            icon={<AddIcon size={14} />}
            onClick={() => onChange([...rows, { ...firstMapping, key: nextKey }])}
          >
            {m.addMapping}
          </Button>
        </Inline>
      )}
    </Stack>
  );
}

function MappingFields({
  number,
  provider,
  row,
  onChange,
  onRemove,
}: {
  readonly number: string;
  readonly provider: IncomingWebhook['provider'];
  readonly row: EditedMapping;
  readonly onChange: (part: Partial<EditedMapping>) => void;
  readonly onRemove: () => void;
}) {
  const { data: projects = [] } = useQuery(projectsQuery(useOrg()));
  const chosen = (slug: string, isChosen: boolean): readonly string[] =>
    isChosen ? [...row.projects, slug] : row.projects.filter((one) => one !== slug);
  return (
    <div role="group" aria-label={m.mapping({ number })}>
      <Stack gap={8}>
        <Inline gap={8}>
          <span className={fieldLabelClass}>{m.mapping({ number })}</span>
          <IconButton
            size="small"
            icon={<CloseIcon size={14} />}
            label={m.removeMapping({ number })}
            onClick={onRemove}
          />
        </Inline>
        <Columns min={220} gap={12}>
          <TextField
            label={m.match}
            hint={m.matchHints[provider]}
            autoComplete="off"
            spellCheck={false}
            maxLength={200}
            value={row.match}
            onChange={(event) => onChange({ match: event.target.value })}
          />
          <TextField
            label={m.version}
            hint={m.versionHint}
            autoComplete="off"
            spellCheck={false}
            maxLength={200}
            value={row.version}
            onChange={(event) => onChange({ version: event.target.value })}
          />
          <TextField
            label={m.environments}
            hint={m.environmentsHint}
            autoComplete="off"
            spellCheck={false}
            maxLength={1_000}
            value={row.environments}
            onChange={(event) => onChange({ environments: event.target.value })}
          />
        </Columns>
        <ChoiceGroup label={m.projects} layout="columns">
          {projects.map(({ id, slug, name }) => (
            <Choice
              key={id}
              label={<span translate="no">{name}</span>}
              checked={row.projects.includes(slug)}
              onChange={(event) => onChange({ projects: chosen(slug, event.target.checked) })}
            />
          ))}
        </ChoiceGroup>
      </Stack>
    </div>
  );
}
