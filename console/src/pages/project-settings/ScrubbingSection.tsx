import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { RuleEditor } from '../../features/scrubbing/rule-editor.ts';
import { AddRule } from '../../features/scrubbing/AddRule.tsx';
import { PreviewedChanges } from '../../features/scrubbing/PreviewedChanges.tsx';
import {
  previewScrubbing,
  type ProjectScrubbing,
  projectScrubbingQuery,
  saveProjectScrubbing,
} from '../../features/scrubbing/queries.ts';
import { useMay, useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/scrubbing.ts';
import { Button } from '../../ui/Button.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { Inline, Stack } from '../../ui/Layout.tsx';
import { Section } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { Text } from '../../ui/Text.tsx';
import { toast } from '../../ui/toasts.ts';
import { useLeaving } from '../../ui/use-leaving.ts';

/** Rules of the project's own, for those who may change them, since rules may hold keys of hashes. */
export function ScrubbingSection({ slug }: { readonly slug: string }) {
  return useMay('project:write') ? <Known slug={slug} /> : null;
}

function Known({ slug }: { readonly slug: string }) {
  const scrubbing = useQuery(projectScrubbingQuery(useOrg(), slug));
  return (
    <Section title={m.title} note={m.note} id="scrubbing">
      <QueryView query={scrubbing} loading={m.loading} failed={m.failed} rows={2} height={44}>
        {(found) => <Rules key={found.rules} slug={slug} saved={found} />}
      </QueryView>
    </Section>
  );
}

function Rules({ slug, saved }: { readonly slug: string; readonly saved: ProjectScrubbing }) {
  const org = useOrg();
  const queries = useQueryClient();
  const [rules, setRules] = useState(saved.rules);
  const leaving = useLeaving();
  const preview = useMutation({ mutationFn: () => previewScrubbing(org, slug, rules, leaving()) });
  const save = useMutation({
    mutationFn: () => saveProjectScrubbing(org, slug, rules),
    onSuccess: (after) => {
      toast(m.saved);
      queries.setQueryData(projectScrubbingQuery(org, slug).queryKey, after);
    },
  });
  const edit = (text: string): void => {
    setRules(text);
    preview.reset();
    save.reset();
  };
  const { organization } = saved;
  const isInherited = organization.rules !== '' || organization.removeIpAddresses || organization.pseudonymizeUsers;
  return (
    <Stack>
      {isInherited && (
        <Text as="p" tone="faint">
          {m.inOrganization}
        </Text>
      )}
      <AddRule rules={rules} onAdd={edit} />
      <RuleEditor
        label={m.rules}
        hint={m.rulesHint}
        value={rules}
        placeholder={'{"applications": {"$string": ["@email"]}}'}
        problems={preview.data?.problems ?? []}
        onChange={edit}
      />
      <FormError error={save.error} />
      <Inline>
        <Button variant="primary" busy={save.isPending} disabled={rules === saved.rules} onClick={() => save.mutate()}>
          {m.save}
        </Button>
        <Button busy={preview.isPending} onClick={() => preview.mutate()}>
          {m.preview}
        </Button>
      </Inline>
      <Text as="p" tone="faint">
        {m.previewHint}
      </Text>
      <FormError error={preview.error} />
      {preview.data && <PreviewedChanges preview={preview.data} />}
    </Stack>
  );
}
