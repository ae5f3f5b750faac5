import { useState } from 'react';
import type { Codeowners } from '../../features/ownership/queries.ts';
import * as m from '../../messages/ownership-rules.ts';
import { Button } from '../../ui/Button.tsx';
import { DataList } from '../../ui/DataList.tsx';
import { AddIcon } from '../../ui/icons.ts';
import { Section } from '../../ui/Page.tsx';
import { Nothing } from '../../ui/Text.tsx';
import { CodeownersFile } from './CodeownersFile.tsx';
import { CodeownersForm } from './CodeownersForm.tsx';

/** CODEOWNERS files, and who their names are here. */
export function CodeownersSection({
  slug,
  files,
  mayChange,
}: {
  readonly slug: string;
  readonly files: readonly Codeowners[];
  readonly mayChange: boolean;
}) {
  const [editing, setEditing] = useState<string>();
  const close = (): void => setEditing(undefined);
  return (
    <Section
      title={m.codeownersTitle}
      note={m.codeownersHint}
      actions={
        mayChange &&
        editing === undefined && (
          <Button size="small" icon={<AddIcon size={14} />} onClick={() => setEditing('new')}>
            {m.addFile}
          </Button>
        )
      }
    >
      {editing === 'new' && <CodeownersForm slug={slug} onDone={close} />}
      {files.length === 0 && editing === undefined && <Nothing>{m.noFiles}</Nothing>}
      {files.some(({ id }) => id !== editing) && (
        <DataList>
          {files
            .filter(({ id }) => id !== editing)
            .map((file) => (
              <CodeownersFile
                key={file.id}
                slug={slug}
                file={file}
                mayChange={mayChange}
                onEdit={() => setEditing(file.id)}
              />
            ))}
        </DataList>
      )}
      {files
        .filter(({ id }) => id === editing)
        .map((file) => (
          <CodeownersForm key={file.id} slug={slug} file={file} onDone={close} />
        ))}
    </Section>
  );
}
