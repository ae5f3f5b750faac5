import { useQuery } from '@tanstack/react-query';
import { RuleEditor } from '../../features/grouping/RuleEditor.tsx';
import { type Codeowners, saveCodeowners } from '../../features/ownership/queries.ts';
import { repositoriesQuery } from '../../features/repositories/queries.ts';
import * as m from '../../messages/ownership-rules.ts';
import { SelectField } from '../../ui/Field.tsx';
import { Form } from '../../ui/Form.tsx';
import { toast } from '../../ui/toasts.ts';
import { useForm } from '../../ui/use-form.ts';
import { verbatim } from '../../ui/verbatim.ts';
import { useFiles } from './use-files.ts';

const example = verbatim`/src/payments/ @acme/payments
*.css jane@example.com`;

/** Adds a file, or edits one. */
export function CodeownersForm({
  slug,
  file,
  onDone,
}: {
  readonly slug: string;
  readonly file?: Codeowners;
  readonly onDone: () => void;
}) {
  const { org, refresh } = useFiles(slug);
  const { data: repositories = [] } = useQuery(repositoriesQuery(org));
  const form = useForm({
    start: { raw: file?.raw ?? '', repositoryId: file?.repositoryId ?? '' },
    save: async (values) => {
      const saved = await saveCodeowners(
        org,
        slug,
        { raw: values.raw, repositoryId: values.repositoryId || null },
        file?.id,
      );
      await refresh();
      toast(
        saved.problems.length > 0
          ? m.fileSavedProblems({ count: saved.problems.length })
          : m.fileSaved({ count: saved.rules }),
      );
      onDone();
    },
  });
  const raw = form.watch('raw');
  return (
    <Form form={form} submit={m.saveFile} ready={raw.trim() !== ''} onCancel={onDone}>
      {repositories.length > 0 && (
        <SelectField label={m.repository} hint={m.repositoryHint} {...form.field('repositoryId')}>
          <option value="">{m.anyRepository}</option>
          {repositories.map(({ id, name }) => (
            <option key={id} value={id} translate="no">
              {name}
            </option>
          ))}
        </SelectField>
      )}
      <RuleEditor
        label={m.file}
        hint={m.fileHint}
        placeholder={example}
        value={raw}
        problems={file && raw === file.raw ? file.problems : []}
        onChange={(text) => form.set('raw', text)}
      />
    </Form>
  );
}
