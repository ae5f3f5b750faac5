import type { RuleGuide } from '../../features/grouping/rule-guides.ts';
import * as m from '../../messages/ownership-rules.ts';

/** Examples with a team and a person of the organisation, where there are some. */
export const ownershipGuide = (team: string, person: string): RuleGuide => ({
  title: m.rulesTitle,
  examples: [
    { says: m.examples.folder, rule: `path:src/payments/* ${team}` },
    { says: m.examples.pages, rule: `url:https://example.com/checkout* ${team}` },
    { says: m.examples.tag, rule: `tags.area:billing ${person}` },
    { says: m.examples.codeowners, rule: `codeowners:/docs/ ${person}` },
  ],
  syntax: [
    ['path:', m.syntax.path],
    ['codeowners:', m.syntax.codeowners],
    ['module:', m.syntax.module],
    ['url:', m.syntax.url],
    ['tags.NAME:', m.syntax.tags],
    ['#team  name@example.com', m.syntax.owners],
    ['* ? { , }', m.syntax.glob],
  ],
});
