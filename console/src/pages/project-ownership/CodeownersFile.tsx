import { useMutation, useQuery } from '@tanstack/react-query';
import { type Codeowners, deleteCodeowners, saveCodeowners } from '../../features/ownership/queries.ts';
import { membersQuery, teamsQuery } from '../../features/people/queries.ts';
import * as m from '../../messages/ownership-rules.ts';
import { Button } from '../../ui/Button.tsx';
import { DataRow } from '../../ui/DataList.tsx';
import { SelectField } from '../../ui/Field.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { Columns, Stack } from '../../ui/Layout.tsx';
import { Facts, Text } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';
import { toast } from '../../ui/toasts.ts';
import { useFiles } from './use-files.ts';

/** A file with the names in it that need a member or team. */
export function CodeownersFile({
  slug,
  file,
  mayChange,
  onEdit,
}: {
  readonly slug: string;
  readonly file: Codeowners;
  readonly mayChange: boolean;
  readonly onEdit: () => void;
}) {
  const { org, refresh } = useFiles(slug);
  const remove = useMutation({
    mutationFn: () => deleteCodeowners(org, slug, file.id),
    onSuccess: async () => {
      const { raw, repositoryId, names } = file;
      toast(m.deleted, {
        action: {
          label: m.undo,
          run: () =>
            void saveCodeowners(org, slug, { raw, repositoryId, names }).then(refresh, (error: Error) =>
              toast(m.notRestored({ reason: error.message }), { kind: 'failed' }),
            ),
        },
      });
      await refresh();
    },
  });
  return (
    <DataRow
      title={
        <strong translate={file.repositoryName ? 'no' : undefined}>{file.repositoryName ?? m.anyRepository}</strong>
      }
      facts={
        <Facts>
          {m.lines({ count: file.rules })}
          {m.changedAt({ when: <Time at={file.dateUpdated} /> })}
          {file.problems.length > 0 && m.unreadable({ count: file.problems.length })}
        </Facts>
      }
      actions={
        mayChange && (
          <>
            <Button size="small" variant="ghost" onClick={onEdit}>
              {m.edit}
            </Button>
            <Button size="small" variant="ghost" busy={remove.isPending} onClick={() => remove.mutate()}>
              {m.remove}
            </Button>
          </>
        )
      }
    >
      <FormError error={remove.error} />
      <Names slug={slug} file={file} mayChange={mayChange} />
    </DataRow>
  );
}

const maxNames = 50;

/** Names that no member or team has, and those that were mapped to one. */
function Names({
  slug,
  file,
  mayChange,
}: {
  readonly slug: string;
  readonly file: Codeowners;
  readonly mayChange: boolean;
}) {
  const { org, refresh } = useFiles(slug);
  const { data: members = [] } = useQuery(membersQuery(org));
  const { data: teams = [] } = useQuery(teamsQuery(org));
  const names = [...new Set([...file.unknown, ...Object.keys(file.names)])].toSorted().slice(0, maxNames);
  const save = useMutation({
    mutationFn: ({ name, owner }: { name: string; owner: string }) => {
      const { [name]: _, ...others } = file.names;
      return saveCodeowners(
        org,
        slug,
        { raw: file.raw, names: owner === '' ? others : { ...others, [name]: owner } },
        file.id,
      );
    },
    onSuccess: refresh,
  });
  if (names.length === 0) return null;
  return (
    <Stack gap={8}>
      <Text as="p" small>
        {file.unknown.length > 0 ? m.unknownNames({ count: file.unknown.length }) : m.mappedNames}
      </Text>
      <Columns min={200} gap={12}>
        {names.map((name) => (
          <div key={name} translate="no">
            <SelectField
              label={name}
              value={file.names[name] ?? ''}
              disabled={!mayChange || save.isPending}
              onChange={(event) => save.mutate({ name, owner: event.target.value })}
            >
              <option value="">{m.noOwner}</option>
              {teams.map((team) => (
                <option key={team.id} value={`team:${team.id}`}>
                  #{team.slug}
                </option>
              ))}
              {members.flatMap(({ user }) =>
                user
                  ? [
                      <option key={user.id} value={`user:${user.id}`}>
                        {user.name}
                      </option>,
                    ]
                  : [],
              )}
            </SelectField>
          </div>
        ))}
      </Columns>
      <FormError error={save.error} />
    </Stack>
  );
}
