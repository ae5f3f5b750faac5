import { type ReactNode, useId, useState } from 'react';
import { isKept, type SettingField } from '../../../features/providers/kinds.ts';
import type { Provider } from '../../../features/providers/queries.ts';
import * as m from '../../../messages/sign-in-providers.ts';
import { Disclosure } from '../../../ui/Disclosure.tsx';
import { SelectField, TextArea, TextField } from '../../../ui/Field.tsx';
import { FieldRow } from '../../../ui/Form.tsx';
import { Stack } from '../../../ui/Layout.tsx';
import type { FieldProps } from '../../../ui/use-form.ts';

/** What a kind of provider is told; the rare ones unfold. */
export function SettingFields({
  fields,
  provider,
  propsOf,
  after,
}: {
  readonly fields: readonly SettingField[];
  readonly provider: Provider | undefined;
  readonly propsOf: (field: SettingField) => FieldProps;
  /** What accompanies those of several lines. */
  readonly after?: ReactNode;
}) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const inputs = (isShown: (field: SettingField) => boolean): ReactNode =>
    fields
      .filter(isShown)
      .map((field) => (
        <SettingInput key={field.key} field={field} kept={isKept(field, provider)} props={propsOf(field)} />
      ));
  const hasOptions = fields.some(({ options, rare }) => options && !rare);
  return (
    <>
      <FieldRow>{inputs(({ rare, long, options }) => !rare && !long && !options)}</FieldRow>
      {inputs(({ long }) => long === true)}
      {after}
      {hasOptions && <FieldRow>{inputs(({ rare, options }) => !rare && options !== undefined)}</FieldRow>}
      {fields.some(({ rare }) => rare) && (
        <Stack gap={12}>
          <Disclosure open={open} controls={id} onToggle={() => setOpen(!open)}>
            {m.moreSettings}
          </Disclosure>
          <div id={id} hidden={!open}>
            <FieldRow>{inputs(({ rare }) => rare === true)}</FieldRow>
          </div>
        </Stack>
      )}
    </>
  );
}

function SettingInput({
  field: { key, secret, optional, placeholder, hint, long, options },
  kept,
  props,
}: {
  readonly field: SettingField;
  readonly kept: boolean;
  readonly props: FieldProps;
}) {
  const label = optional ? m.optional({ field: m.fields[key] }) : m.fields[key];
  if (options) {
    return (
      <SelectField label={label} hint={hint} {...props}>
        {Object.entries(options).map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </SelectField>
    );
  }
  if (long) {
    return (
      <TextArea
        label={label}
        hint={hint}
        placeholder={placeholder}
        rows={4}
        translate="no"
        spellCheck={false}
        {...props}
      />
    );
  }
  return (
    <TextField
      label={label}
      hint={kept ? m.secretKept : hint}
      mono
      type={secret ? 'password' : 'text'}
      placeholder={kept ? m.unchanged : placeholder}
      translate={kept ? undefined : 'no'}
      autoComplete={secret ? 'new-password' : 'off'}
      spellCheck={false}
      maxLength={1000}
      {...props}
    />
  );
}
