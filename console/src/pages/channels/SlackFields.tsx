import { useInfiniteQuery } from '@tanstack/react-query';
import { useId } from 'react';
import type { KindField } from '../../features/channels/kinds.ts';
import { slackChannelsQuery } from '../../features/channels/slack.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/slack.ts';
import { Button } from '../../ui/Button.tsx';
import { SelectField, TextField } from '../../ui/Field.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { Inline, Stack } from '../../ui/Layout.tsx';
import type { FieldProps } from '../../ui/use-form.ts';

/** Through what Slack is reached. */
export function SlackWayField({
  hasSlack,
  props,
  onChange,
}: {
  readonly hasSlack: boolean;
  readonly props: FieldProps;
  readonly onChange: () => void;
}) {
  return (
    <SelectField
      label={m.way}
      {...props}
      onChange={(event) => {
        onChange();
        void props.onChange(event);
      }}
    >
      <option value="app" disabled={!hasSlack}>
        {hasSlack ? m.ways.app : m.appMissing}
      </option>
      <option value="webhook">{m.ways.webhook}</option>
      <option value="bot">{m.ways.bot}</option>
    </SelectField>
  );
}

/** A channel of the workspace: of the list that Slack gives, or typed. */
export function SlackChannelField({ field, props }: { readonly field: KindField; readonly props: FieldProps }) {
  const org = useOrg();
  const list = useId();
  const channels = useInfiniteQuery(slackChannelsQuery(org));
  const { data, error, hasNextPage, isPending, isFetchingNextPage, fetchNextPage } = channels;
  return (
    <Stack gap={8}>
      <TextField
        label={field.label}
        hint={error ? m.channelsFailed : isPending ? m.channelsLoading : m.channelHint}
        placeholder={field.placeholder}
        list={list}
        translate="no"
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
        {...props}
      />
      <datalist id={list} translate="no">
        {data?.pages
          .flatMap((page) => page.channels)
          .map(({ id, name }) => (
            <option key={id} value={`#${name}`}>
              {id}
            </option>
          ))}
      </datalist>
      {hasNextPage && (
        <Inline>
          <Button size="small" variant="ghost" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {m.more}
          </Button>
        </Inline>
      )}
      <FormError error={error} />
    </Stack>
  );
}
