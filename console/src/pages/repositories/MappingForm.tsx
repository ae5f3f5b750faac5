import { useQuery, useQueryClient } from '@tanstack/react-query';
import { projectsQuery, type Project } from '../../features/projects/queries.ts';
import {
  mappingSuggestionsQuery,
  saveCodeMapping,
  type CodeMapping,
  type CodeMappingSuggestion,
  type Repository,
} from '../../features/repositories/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/repositories.ts';
import { Button } from '../../ui/Button.tsx';
import { SelectField, TextField } from '../../ui/Field.tsx';
import { FieldRow, Form } from '../../ui/Form.tsx';
import { Inline } from '../../ui/Layout.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { Text } from '../../ui/Text.tsx';
import { useForm } from '../../ui/use-form.ts';
import { Path } from './MappingRow.tsx';

interface Props {
  readonly mapping?: CodeMapping;
  readonly repositories: readonly Repository[];
  readonly onDone: () => void;
}

export function MappingForm(props: Props) {
  const projects = useQuery(projectsQuery(useOrg()));
  return (
    <QueryView query={projects} loading={m.mappingsLoading} failed={m.mappingsFailed}>
      {(all) => <Fields {...props} projects={all} />}
    </QueryView>
  );
}

function Fields({ mapping, repositories, onDone, projects }: Props & { readonly projects: readonly Project[] }) {
  const org = useOrg();
  const queries = useQueryClient();
  const form = useForm({
    start: {
      project: mapping?.projectSlug ?? projects[0]?.slug ?? '',
      repoId: mapping?.repoId ?? repositories[0]?.id ?? '',
      stackRoot: mapping?.stackRoot ?? '',
      sourceRoot: mapping?.sourceRoot ?? '',
      branch: mapping?.defaultBranch ?? '',
    },
    save: async ({ branch, ...rest }) => {
      await saveCodeMapping(org, { ...rest, defaultBranch: branch.trim() || null }, mapping?.id);
      await queries.invalidateQueries({ queryKey: ['repositories', org] });
      onDone();
    },
  });
  const project = form.watch('project');
  return (
    <Form form={form} submit={m.save} ready={project !== '' && repositories.length > 0} onCancel={onDone}>
      <FieldRow>
        {/* The project of one that exists stays. */}
        <SelectField label={m.project} {...form.field('project')} aria-disabled={mapping !== undefined}>
          {projects
            .filter(({ slug }) => !mapping || slug === mapping.projectSlug)
            .map((each) => (
              <option key={each.id} value={each.slug} translate="no">
                {each.name}
              </option>
            ))}
        </SelectField>
        <SelectField label={m.repository} {...form.field('repoId')}>
          {repositories.map((each) => (
            <option key={each.id} value={each.id} translate="no">
              {each.name}
            </option>
          ))}
        </SelectField>
      </FieldRow>
      {project && !mapping && (
        <Suggestions
          key={project}
          project={project}
          onChoose={({ repoId, stackRoot, sourceRoot }) => {
            form.set('repoId', repoId);
            form.set('stackRoot', stackRoot);
            form.set('sourceRoot', sourceRoot);
          }}
        />
      )}
      <FieldRow>
        <TextField
          label={m.stackRoot}
          hint={m.stackRootHint}
          mono
          placeholder="../../src/"
          autoComplete="off"
          maxLength={1000}
          {...form.field('stackRoot')}
        />
        <TextField
          label={m.sourceRoot}
          hint={m.sourceRootHint}
          mono
          placeholder="apps/shop/src/"
          autoComplete="off"
          maxLength={1000}
          {...form.field('sourceRoot')}
        />
      </FieldRow>
      <TextField
        label={m.mappingBranch}
        hint={m.mappingBranchHint}
        autoComplete="off"
        maxLength={200}
        {...form.field('branch')}
      />
    </Form>
  );
}

/** What would fit the latest events of the project, filled in by one click. */
function Suggestions({
  project,
  onChoose,
}: {
  readonly project: string;
  readonly onChoose: (suggestion: CodeMappingSuggestion) => void;
}) {
  const { data = [] } = useQuery(mappingSuggestionsQuery(useOrg(), project));
  if (data.length === 0) return null;
  return (
    <fieldset aria-label={m.suggestions}>
      <Inline>
        <Text tone="faint" small>
          {m.suggestionsHint}
        </Text>
        {data.map((each) => (
          <Button
            key={`${each.repoId} ${each.stackRoot} ${each.sourceRoot}`}
            size="small"
            tip={`${each.frame} → ${each.file}`}
            onClick={() => onChoose(each)}
          >
            <Path path={each.stackRoot} empty={m.anyPath} /> → <Path path={each.sourceRoot} empty={m.root} />
            <Text tone="faint">
              <span translate="no">{each.repoName}</span>, {m.paths({ count: each.frames })}
            </Text>
          </Button>
        ))}
      </Inline>
    </fieldset>
  );
}
