import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type Retention,
  retentionPreviewQuery,
  retentionQuery,
  type RetentionUpdate,
  saveRetention,
} from '../../features/retention/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/retention.ts';
import { Confirm } from '../../ui/Confirm.tsx';
import { fieldLabelClass, TextField } from '../../ui/Field.tsx';
import { FieldRow, Form } from '../../ui/Form.tsx';
import { Stack } from '../../ui/Layout.tsx';
import { byteSize } from '../../ui/numbers.ts';
import { Text } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';
import { toast } from '../../ui/toasts.ts';
import { useForm } from '../../ui/use-form.ts';
import { bytesIn, daysIn, type Fields, fieldsOf, updateOf } from './fields.ts';
import { storedText } from './words.ts';

/** What would be deleted, and where the answer goes. */
interface Asking {
  readonly update: RetentionUpdate;
  readonly answer: (isWanted: boolean) => void;
}

/** Age and size of each class, with what a change would delete before it is saved, which is asked about. */
export function RetentionForm({ retention }: { readonly retention: Retention }) {
  const org = useOrg();
  const queries = useQueryClient();
  const [asking, setAsking] = useState<Asking>();
  const form = useForm<Fields>({
    start: fieldsOf(retention),
    save: async (fields) => {
      const update = updateOf(fields);
      if (!update) return false;
      const { classes, measuredAt } = await queries.fetchQuery(retentionPreviewQuery(org, update));
      const deletes = measuredAt === null || classes.some(({ before, freedRows }) => before !== null || freedRows > 0);
      if (deletes && !(await new Promise<boolean>((answer) => setAsking({ update, answer })))) return false;
      await saveRetention(org, update);
      await queries.invalidateQueries({ queryKey: retentionQuery(org).queryKey });
      toast(m.saved);
      return true;
    },
  });
  const [days, sizes] = form.watch(['days', 'sizes']);
  const update = updateOf({ days, sizes });
  const answer = (isWanted: boolean): void => {
    asking?.answer(isWanted);
    setAsking(undefined);
  };
  return (
    <>
      <Form form={form} submit={m.save} ready={form.isChanged}>
        {retention.classes.map((one) => (
          <fieldset key={one.name}>
            <legend className={fieldLabelClass}>{m.classes[one.name]}</legend>
            <Stack gap={4}>
              <Text small>{storedText(one)}</Text>
              <FieldRow>
                <TextField
                  label={m.days}
                  inputMode="numeric"
                  autoComplete="off"
                  maxLength={5}
                  placeholder={String(retention.defaultDays)}
                  {...form.field(`days.${one.name}`, {
                    validate: (text) => daysIn(text) !== undefined || m.daysInvalid,
                  })}
                />
                <TextField
                  label={m.gigabytes}
                  inputMode="decimal"
                  autoComplete="off"
                  maxLength={12}
                  placeholder={m.noLimit}
                  {...form.field(`sizes.${one.name}`, {
                    validate: (text) => bytesIn(text) !== undefined || m.gigabytesInvalid,
                  })}
                />
              </FieldRow>
            </Stack>
          </fieldset>
        ))}
        {form.isChanged && update && <Preview update={update} />}
      </Form>
      {asking && (
        <Confirm
          title={m.deleteAsk}
          action={m.saveAndDelete}
          onConfirm={() => answer(true)}
          onClose={() => answer(false)}
        >
          <Preview update={asking.update} />
          <p>{m.cannotBeUndone}</p>
        </Confirm>
      )}
    </>
  );
}

function Preview({ update }: { readonly update: RetentionUpdate }) {
  const { data } = useQuery(retentionPreviewQuery(useOrg(), update));
  if (!data) return <Text>{m.previewing}</Text>;
  if (data.measuredAt === null) return <Text>{m.mayDelete}</Text>;
  const going = data.classes.filter(({ before, freedRows }) => before !== null || freedRows > 0);
  const over = data.classes.filter(({ overBytes }) => overBytes > 0);
  return (
    <div role="status">
      <Stack gap={8}>
        {going.length === 0 && <Text>{m.deletesNothing}</Text>}
        {going.map(({ name, freedBytes, before }) => (
          <Text key={name} as="p" tone="warning">
            {before ? (
              <>
                {m.deletes({ name: m.classes[name], size: byteSize(freedBytes) })} <Time at={before} />
              </>
            ) : (
              m.deletesAbout({ name: m.classes[name], size: byteSize(freedBytes) })
            )}
          </Text>
        ))}
        {over.map(({ name, overBytes }) => (
          <Text key={name} as="p">
            {m.stillOver({ name: m.classes[name], size: byteSize(overBytes) })}
          </Text>
        ))}
      </Stack>
    </div>
  );
}
