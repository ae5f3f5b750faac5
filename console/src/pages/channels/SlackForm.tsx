import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { connectSlack, type SlackSetup } from '../../features/channels/slack.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/slack.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Form } from '../../ui/Form.tsx';
import { DownloadIcon } from '../../ui/icons.ts';
import { Inline, Stack } from '../../ui/Layout.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Text } from '../../ui/Text.tsx';
import { toast } from '../../ui/toasts.ts';
import { type FieldProps, useForm } from '../../ui/use-form.ts';

interface Fields {
  readonly token: string;
  readonly signingSecret: string;
}

/** From the manifest to an app that is connected, step by step; or new secrets of one that is. */
export function SlackForm({ setup, onDone }: { readonly setup: SlackSetup; readonly onDone: () => void }) {
  const org = useOrg();
  const queries = useQueryClient();
  const { app, manifest, createUrl, reachable, requestUrl } = setup;
  const form = useForm<Fields>({
    start: { token: '', signingSecret: '' },
    save: async ({ token, signingSecret }) => {
      const { team } = await connectSlack(org, {
        token: token.trim() || undefined,
        signingSecret: signingSecret.trim() || undefined,
      });
      await queries.invalidateQueries({ queryKey: ['slack', org] });
      onDone();
      toast(m.connected({ team: team.name }));
    },
  });
  const [token, secret] = form.watch(['token', 'signingSecret']);
  const isReady = app ? Boolean(token.trim() || secret.trim()) : Boolean(token.trim() && secret.trim());
  const file = `data:application/json;charset=utf-8,${encodeURIComponent(manifest)}`;
  return (
    <Form form={form} submit={app ? m.saveChange : m.save} ready={isReady} onCancel={onDone}>
      <Stack gap={24}>
        {!app && !reachable && <Unreachable url={requestUrl} />}
        {!app && (
          <Step number={1} title={m.steps.create} hint={m.steps.createHint}>
            <Inline>
              <a href={createUrl} target="_blank" rel="noreferrer noopener" className={buttonClass('primary', 'small')}>
                {m.open}
              </a>
              <CopyButton text={manifest} label={m.copyLabel}>
                {m.copy}
              </CopyButton>
              <a
                href={file}
                download="culprit-slack-app.json"
                aria-label={m.downloadLabel}
                className={buttonClass('normal', 'small')}
              >
                <DownloadIcon size={14} /> {m.download}
              </a>
            </Inline>
          </Step>
        )}
        <Step number={app ? 1 : 2} title={m.steps.install} hint={m.steps.installHint}>
          <Secret label={m.token} hint={app ? m.kept : m.tokenHint} placeholder="xoxb-…" props={form.field('token')} />
        </Step>
        <Step number={app ? 2 : 3} title={m.steps.sign} hint={m.steps.signHint}>
          <Secret label={m.secret} hint={app ? m.kept : m.secretHint} props={form.field('signingSecret')} />
        </Step>
      </Stack>
    </Form>
  );
}

/** Says that buttons will do nothing, and what to do about it. */
export function Unreachable({ url }: { readonly url: string }) {
  return <Notice tone="warning">{m.unreachable({ url: <code translate="no">{url}</code> })}</Notice>;
}

function Step({
  number,
  title,
  hint,
  children,
}: {
  readonly number: number;
  readonly title: string;
  readonly hint: string;
  readonly children: ReactNode;
}) {
  return (
    <div role="group" aria-label={title}>
      <Stack gap={8}>
        <strong>{m.step({ number: String(number), title })}</strong>
        <Text as="p" small>
          {hint}
        </Text>
        {children}
      </Stack>
    </div>
  );
}

function Secret({
  label,
  hint,
  placeholder,
  props,
}: {
  readonly label: string;
  readonly hint: string;
  readonly placeholder?: string;
  readonly props: FieldProps;
}) {
  return (
    <TextField
      label={label}
      hint={hint}
      mono
      placeholder={placeholder}
      translate="no"
      autoComplete="off"
      spellCheck={false}
      maxLength={500}
      {...props}
    />
  );
}
