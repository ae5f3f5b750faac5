/** How a notification looks as mail: plain text, and HTML that needs no images. */
import { contentOf, severityColor } from '../content.ts';
import { cut, escapeHtml, oneLine } from '../text.ts';
import type { Notification } from '../types.ts';
import { mail } from '../../../base/texts/mail.ts';

export interface RenderedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Ends of a mail: who gets it and where that is changed. */
export interface Footer {
  readonly why: string;
  readonly settingsUrl: string;
  /** Ends this mail, signed out; undefined for what is no subscription. */
  readonly unsubscribeUrl?: string | undefined;
}

/** A section shows so many lines and then says how many are left. */
const maxLines = 50;

export function renderMail(notification: Notification, footer: Footer): RenderedMail {
  const { title, text, facts } = contentOf(notification);
  const sections = (notification.sections ?? []).map(({ heading, lines }) => ({
    heading: cut(oneLine(heading), 200),
    lines: lines.slice(0, maxLines).map((line) => ({
      title: cut(oneLine(line.title), 300),
      url: line.url,
      text: cut(oneLine(line.text), 300),
    })),
    more: Math.max(0, lines.length - maxLines),
  }));
  return {
    subject: cut(subjectOf(notification, title), 200),
    text: asText({ title, text, facts, sections, url: notification.url, footer }),
    html: asHtml({ notification, title, text, facts, sections, footer }),
  };
}

/** All mails about one issue have the same, for clients that make threads of subjects. */
function subjectOf({ issue, project }: Notification, title: string): string {
  const about = issue ? `${issue.shortId} ${oneLine(issue.title)}` : title;
  return project && !issue ? `[${oneLine(project.name)}] ${about}` : about;
}

interface Parts {
  readonly title: string;
  readonly text: string;
  readonly facts: readonly { readonly name: string; readonly value: string }[];
  readonly sections: readonly {
    readonly heading: string;
    readonly lines: readonly { readonly title: string; readonly url: string; readonly text: string }[];
    readonly more: number;
  }[];
  readonly footer: Footer;
}

function asText({ title, text, facts, sections, url, footer }: Parts & { readonly url: string }): string {
  const blocks = [title];
  if (text) blocks.push(text);
  const width = Math.min(20, Math.max(0, ...facts.map(({ name }) => name.length)));
  if (facts.length) blocks.push(facts.map(({ name, value }) => `${`${name}:`.padEnd(width + 2)}${value}`).join('\n'));
  for (const { heading, lines, more } of sections) {
    const shown = lines.map((line) =>
      [`- ${line.title}${line.text ? `: ${line.text}` : ''}`, ...(line.url ? [`  ${line.url}`] : [])].join('\n'),
    );
    blocks.push([heading, ...shown, ...(more ? [`- ${mail.more(more)}`] : [])].join('\n'));
  }
  const stop = footer.unsubscribeUrl === undefined ? '' : `\n${mail.unsubscribe}: ${footer.unsubscribeUrl}`;
  blocks.push(url, `-- \n${footer.why}\n${footer.settingsUrl}${stop}`);
  return `${blocks.join('\n\n')}\n`;
}

const font = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

function asHtml({
  notification,
  title,
  text,
  facts,
  sections,
  footer,
}: Parts & { readonly notification: Notification }): string {
  const { severity, url, project } = notification;
  const color = severityColor[severity];
  const link = (to: string, label: string, style = 'color:#1f56c3;text-decoration:none'): string =>
    `<a href="${escapeHtml(to)}" style="${style}">${escapeHtml(label)}</a>`;
  const paragraphs = text
    .split(/\n{2,}/)
    .filter((part) => part.trim() !== '')
    .map(
      (part) =>
        `<p style="margin:0 0 12px;font-size:14px;line-height:21px">${escapeHtml(part.trim()).replaceAll('\n', '<br>')}</p>`,
    );
  const lists = sections.map(
    ({ heading, lines, more }) =>
      `<h2 style="margin:20px 0 6px;font-size:14px;line-height:20px">${escapeHtml(heading)}</h2><ul style="margin:0;padding:0 0 0 18px;font-size:14px;line-height:21px">${lines
        .map(
          (line) =>
            `<li style="margin:0 0 4px">${line.url ? link(line.url, line.title) : escapeHtml(line.title)}${line.text ? ` <span style="color:#5f6979">${escapeHtml(line.text)}</span>` : ''}</li>`,
        )
        .join('')}${more ? `<li style="color:#5f6979">${mail.more(more)}</li>` : ''}</ul>`,
  );
  const rows = facts.map(
    ({ name, value }) =>
      `<tr><th align="left" valign="top" style="padding:3px 16px 3px 0;font-weight:400;color:#5f6979;white-space:nowrap">${escapeHtml(name)}</th><td style="padding:3px 0;word-break:break-word">${escapeHtml(value)}</td></tr>`,
  );
  const above = project ? oneLine(project.name) : '';
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light"><title>${escapeHtml(title)}</title></head>
<body style="margin:0;padding:0;background:#f6f7f9;color:#14171c;${font}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f6f7f9"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:600px;background:#ffffff;border:1px solid #dfe3ea;border-top:4px solid ${color};text-align:left"><tr><td style="padding:20px 24px">
${above ? `<p style="margin:0 0 6px;font-size:12px;line-height:18px;font-weight:600;color:${color}">${escapeHtml(above)}</p>` : ''}
<h1 style="margin:0 0 12px;font-size:18px;line-height:26px;word-break:break-word">${link(url, title, 'color:#14171c;text-decoration:none')}</h1>
${paragraphs.join('\n')}
${rows.length ? `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:12px 0;font-size:13px;line-height:19px">${rows.join('')}</table>` : ''}
${lists.join('\n')}
<p style="margin:20px 0 0">${link(url, mail.open, 'display:inline-block;padding:8px 16px;background:#1f56c3;color:#ffffff;font-size:14px;font-weight:600;text-decoration:none')}</p>
</td></tr></table>
<p style="max-width:600px;margin:16px auto 0;font-size:12px;line-height:18px;color:#5f6979;text-align:left">${escapeHtml(footer.why)} ${link(footer.settingsUrl, mail.settings)}${footer.unsubscribeUrl === undefined ? '' : ` · ${link(footer.unsubscribeUrl, mail.unsubscribe)}`}</p>
</td></tr></table></body></html>
`;
}
