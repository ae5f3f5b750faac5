/** The brief of an issue, as Markdown; asked for when it is copied. */
import { getText } from '../../api/text.ts';

export const briefText = (org: string, issue: string, event: string): Promise<string> =>
  getText('/api/0/organizations/{org}/issues/{issue}/brief/', {
    path: { org, issue },
    query: { format: 'markdown', event },
  });
