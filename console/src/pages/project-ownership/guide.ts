import type { RuleGuide } from '../../features/grouping/RuleHelp.tsx';

/** Examples with a team and a person who are there, where there are some. */
export const ownershipGuide = (team: string, person: string): RuleGuide => ({
  title: 'Ownership rules',
  examples: [
    { says: 'A folder of the code', rule: `path:src/payments/* ${team}` },
    { says: 'Pages by their address', rule: `url:https://example.com/checkout* ${team}` },
    { says: 'A part of the product, by tag', rule: `tags.area:billing ${person}` },
    { says: 'Files as CODEOWNERS names them', rule: `codeowners:/docs/ ${person}` },
  ],
  words: [
    ['path:', 'any path of the stack, as the frame or the repository has it; * goes over folders'],
    ['codeowners:', 'the same by the patterns of CODEOWNERS: /docs/ *.ts docs/*'],
    ['module:', 'the module of a frame'],
    ['url:', 'the address of the request'],
    ['tags.NAME:', 'the value of a tag'],
    ['#team  name@example.com', 'who owns what matches; the first of them gets the issue'],
    ['* ? { , }', 'any text, any character, one of several'],
  ],
});
