import { useState } from 'react';
import type { Project } from '../../features/projects/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { TextArea, Toggle } from '../../ui/Field.tsx';
import styles from '../../ui/Form.module.css';
import { FormError } from '../../ui/FormError.tsx';
import { Section } from '../../ui/Page.tsx';
import { useSaveProject } from './use-save-project.ts';

type Lists = 'sensitiveFields' | 'safeFields' | 'allowedDomains';

const toText = (list: readonly string[]): string => list.join('\n');
const toList = (text: string): string[] =>
  text
    .split(/[\n,]/)
    .map((each) => each.trim())
    .filter(Boolean);

/** What is removed from events before they are stored, and who may send them. Toggles save at once, lists with the button. */
export function PrivacySection({ project }: { readonly project: Project }) {
  const { settings } = project;
  const toggle = useSaveProject(project);
  const lists = useSaveProject(project);
  const [texts, setTexts] = useState<Record<Lists, string>>({
    sensitiveFields: toText(settings.sensitiveFields),
    safeFields: toText(settings.safeFields),
    allowedDomains: toText(settings.allowedDomains),
  });
  const changed = (Object.keys(texts) as Lists[]).some((key) => toText(toList(texts[key])) !== toText(settings[key]));
  const flag = (name: 'storeIpAddresses' | 'scrubData' | 'scrubDefaults' | 'largeTextAttachments') => ({
    checked:
      toggle.isPending && toggle.variables.settings?.[name] !== undefined
        ? toggle.variables.settings[name]
        : settings[name],
    disabled: toggle.isPending,
    onChange: (event: { target: { checked: boolean } }) =>
      toggle.mutate({ settings: { [name]: event.target.checked } }),
  });
  const area = (name: Lists) => ({
    value: texts[name],
    onChange: (event: { target: { value: string } }) => setTexts({ ...texts, [name]: event.target.value }),
    spellCheck: false,
  });
  return (
    <Section title="Privacy" note="Applies to events from now on; stored ones stay as they are.">
      <div className={styles.group}>
        <Toggle
          label="Store IP addresses"
          hint="Off: they are removed before anything is stored."
          {...flag('storeIpAddresses')}
        />
        <Toggle label="Scrub sensitive data" hint="Removes secrets by their names and forms." {...flag('scrubData')} />
        <Toggle
          label="Use the built-in list"
          hint="Passwords, tokens, secrets, card numbers, and the like."
          {...flag('scrubDefaults')}
        />
        <Toggle
          label="Store text attachments above 1 MiB"
          hint="They are scrubbed too, which takes a while. Off: their event says that they were refused."
          {...flag('largeTextAttachments')}
        />
        <FormError error={toggle.error} />
      </div>
      <form
        className={styles.group}
        onSubmit={(event) => {
          event.preventDefault();
          lists.mutate({
            settings: {
              sensitiveFields: toList(texts.sensitiveFields),
              safeFields: toList(texts.safeFields),
              allowedDomains: toList(texts.allowedDomains),
            },
          });
        }}
      >
        <TextArea
          label="Also remove"
          hint="Parts of keys, one per line, any case."
          placeholder="iban"
          {...area('sensitiveFields')}
        />
        <TextArea
          label="Never remove"
          hint="Exact keys, one per line."
          placeholder="token_count"
          {...area('safeFields')}
        />
        <TextArea
          label="Allowed domains"
          hint="Origins that browsers may send from, one per line; empty for any."
          placeholder="*.example.com"
          {...area('allowedDomains')}
        />
        <FormError error={lists.error} />
        <div className={styles.row}>
          <Button type="submit" variant="primary" busy={lists.isPending} disabled={!changed}>
            Save
          </Button>
        </div>
      </form>
    </Section>
  );
}
