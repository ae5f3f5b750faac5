import type { Field, Operation, Parameter } from '../../features/api-explorer/document.ts';
import * as m from '../../messages/api-explorer.ts';
import { Button } from '../../ui/Button.tsx';
import { TextArea, TextField } from '../../ui/Field.tsx';
import { KeyValue, Pair } from '../../ui/KeyValue.tsx';
import { Stack } from '../../ui/Layout.tsx';
import { Text } from '../../ui/Text.tsx';
import { Part } from './Part.tsx';

type Values = Readonly<Record<string, string>>;

/** Undefined where it can be read. */
export function bodyFault(body: string): string | undefined {
  try {
    JSON.parse(body);
    return undefined;
  } catch (error) {
    return m.bodyInvalid({ reason: (error as Error).message });
  }
}

export function Inputs({
  operation,
  values,
  body,
  onValues,
  onBody,
}: {
  readonly operation: Operation;
  readonly values: Values;
  readonly body: string;
  readonly onValues: (values: Values) => void;
  readonly onBody: (body: string) => void;
}) {
  const { parameters, body: wanted } = operation;
  return (
    <>
      <Part title={m.parameters}>
        {parameters.length === 0 && <Text as="p">{m.noParameters}</Text>}
        {parameters.map((one) => (
          <TextField
            key={one.name}
            label={one.name}
            mono
            hint={<Hint of={one} />}
            value={values[one.name] ?? ''}
            placeholder={one.example}
            required={one.required}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => onValues({ ...values, [one.name]: event.target.value })}
          />
        ))}
      </Part>
      {wanted && (
        <Stack gap={8}>
          <TextArea
            label={m.body}
            style={{ fontFamily: 'var(--mono)', fontSize: 'var(--size-12)' }}
            value={body}
            rows={Math.min(20, body.split('\n').length + 1)}
            spellCheck={false}
            error={bodyFault(body)}
            onChange={(event) => onBody(event.target.value)}
          />
          {body !== wanted.example && (
            <div>
              <Button size="small" variant="ghost" onClick={() => onBody(wanted.example)}>
                {m.resetBody}
              </Button>
            </div>
          )}
        </Stack>
      )}
    </>
  );
}

function Hint({ of: { in: place, type, required, description } }: { readonly of: Parameter }) {
  return (
    <>
      {place === 'path' ? m.inPath : m.inQuery} · <code>{type}</code> · {required ? m.required : m.optional}
      {description && ` · ${description}`}
    </>
  );
}

export function FieldList({ fields }: { readonly fields: readonly Field[] }) {
  return (
    <Part title={m.bodyFields}>
      <KeyValue label={m.bodyFields} boxed compact>
        {fields.map(({ name, type, required, description }) => (
          <Pair key={name} name={<code>{name}</code>}>
            <code>{type}</code> · {required ? m.required : m.optional}
            {description && ` · ${description}`}
          </Pair>
        ))}
      </KeyValue>
    </Part>
  );
}
