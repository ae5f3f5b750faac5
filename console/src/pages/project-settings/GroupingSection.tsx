import { Link } from '@tanstack/react-router';
import { countRules } from '../../features/grouping/rule-text.ts';
import type { Project } from '../../features/projects/queries.ts';
import * as m from '../../messages/project-settings.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { Section } from '../../ui/Page.tsx';

/** The rules of grouping in numbers, and the way to change them. */
export function GroupingSection({
  project: { slug, fingerprintingRules, groupingEnhancements, groupingConfig },
}: {
  readonly project: Project;
}) {
  return (
    <Section
      title={m.grouping}
      note={m.groupingNote({
        fingerprint: m.fingerprintRules({ count: countRules(fingerprintingRules) }),
        stackTrace: m.stackTraceRules({ count: countRules(groupingEnhancements) }),
        algorithm: groupingConfig,
      })}
      actions={
        <Link to="/projects/$slug/settings/grouping" params={{ slug }} className={buttonClass()}>
          {m.groupingLink}
        </Link>
      }
    >
      {null}
    </Section>
  );
}
