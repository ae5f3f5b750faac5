import { brief as texts } from '../base/texts/cli.ts';
import { type Command, UsageError } from './command.ts';
import { openServerApi } from './server-api.ts';

export const briefCommand: Command = {
  name: 'brief',
  summary: texts.summary,
  usage: texts.usage,
  options: {
    org: { type: 'string', placeholder: 'SLUG', help: texts.organization },
    event: { type: 'string', placeholder: 'ID', help: texts.event },
  },
  words: 1,
  examples: [
    'culprit brief WEB-1',
    'culprit brief WEB-1 --url https://culprit.example.com > brief.md',
    'culprit brief WEB-1 --event latest --json',
  ],
  async run(invocation) {
    const [issue] = invocation.words;
    if (!issue) throw new UsageError(texts.missing);
    const api = await openServerApi(invocation);
    // A token is of one organisation, in which a short ID says enough.
    const organization = invocation.text('org');
    const within = organization === undefined ? '' : `/organizations/${encodeURIComponent(organization)}`;
    const query = new URLSearchParams({
      format: invocation.json ? 'json' : 'markdown',
      event: invocation.text('event') ?? 'recommended',
    });
    const path = `${within}/issues/${encodeURIComponent(issue)}/brief/?${query.toString()}`;
    const answer = await api.get(path);
    invocation.print(invocation.json ? JSON.parse(answer) : undefined, [answer.trimEnd()]);
  },
};
