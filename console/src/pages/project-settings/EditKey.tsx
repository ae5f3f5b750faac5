import type { ProjectKeyUpdate } from '../../features/projects/changes.ts';
import type { ProjectKey } from '../../features/projects/queries.ts';
import * as m from '../../messages/project-settings.ts';
import { SelectField, TextField } from '../../ui/Field.tsx';
import { FieldRow, Form } from '../../ui/Form.tsx';
import { useForm } from '../../ui/use-form.ts';
import { nameOf, windows } from './KeyRow.tsx';

const mib = 1024 * 1024;

/** The name of a key and its limits; an empty limit is none. */
export function EditKey({
  projectKey: key,
  save,
  onCancel,
}: {
  readonly projectKey: ProjectKey;
  readonly save: (changes: ProjectKeyUpdate) => Promise<void>;
  readonly onCancel: () => void;
}) {
  const start = {
    name: nameOf(key),
    count: key.rateLimit ? String(key.rateLimit.count) : '',
    window: String(key.rateLimit?.window ?? 60),
    blobs: key.blobBytesPerDay === null ? '' : String(key.blobBytesPerDay / mib),
  };
  const form = useForm({
    start,
    save: ({ name, count, window, blobs }) =>
      save({
        name: name.trim(),
        rateLimit: count.trim() === '' ? null : { count: Number(count), window: Number(window) },
        blobBytesPerDay: bytesOf(blobs),
      }),
  });
  const isNamed = windows.some(([seconds]) => String(seconds) === start.window);
  return (
    <Form form={form} submit={m.save} bare onCancel={onCancel}>
      <TextField
        label={m.name}
        autoComplete="off"
        maxLength={64}
        {...form.field('name', { validate: (name) => name.trim() !== '' })}
      />
      <FieldRow>
        <TextField
          label={m.rateLimit}
          inputMode="numeric"
          placeholder={m.noLimit}
          autoComplete="off"
          {...form.field('count', {
            validate: (count) => /^\s*(?:[1-9]\d{0,14}\s*)?$/.test(count) || m.rateLimitInvalid,
          })}
        />
        <SelectField label={m.per} {...form.field('window')}>
          {!isNamed && <option value={start.window}>{m.windowSeconds({ seconds: Number(start.window) })}</option>}
          {windows.map(([seconds, name]) => (
            <option key={seconds} value={seconds}>
              {name}
            </option>
          ))}
        </SelectField>
      </FieldRow>
      <TextField
        label={m.blobs}
        hint={m.blobsHint}
        inputMode="decimal"
        placeholder={m.noLimit}
        autoComplete="off"
        {...form.field('blobs', {
          validate: (blobs) => {
            const bytes = bytesOf(blobs);
            return bytes === null || (Number.isSafeInteger(bytes) && bytes >= 0) || m.blobsInvalid;
          },
        })}
      />
    </Form>
  );
}

const bytesOf = (mebibytes: string): number | null =>
  mebibytes.trim() === '' ? null : Math.round(Number(mebibytes) * mib);
