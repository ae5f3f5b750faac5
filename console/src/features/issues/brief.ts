/**
 * The brief of an issue, as Markdown; asked for when it is copied. It is the one answer that is no JSON, and what the
 * client has for those would have to be exported to here, for everybody to load.
 */
import * as m from '../../messages/brief.ts';

export async function briefText(org: string, issue: string, event: string): Promise<string> {
  const names = [org, 'issues', issue].map(encodeURIComponent).join('/');
  const query = new URLSearchParams({ format: 'markdown', event });
  const answer = await fetch(`/api/0/organizations/${names}/brief/?${query}`).catch(() => undefined);
  if (!answer) throw new Error(m.offline);
  if (answer.ok) return answer.text();
  const problem = (await answer.json().catch(() => ({}))) as { readonly detail?: string };
  throw new Error(problem.detail ?? m.refused({ status: String(answer.status) }));
}
