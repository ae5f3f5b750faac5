/** Block Kit's own rules, as far as our messages meet them: https://docs.slack.dev/reference/block-kit. For tests. */
import { z } from 'zod';

const text = (most: number) => z.string().min(1).max(most);
const plain = (most: number) =>
  z.strictObject({ type: z.literal('plain_text'), text: text(most), emoji: z.boolean().optional() });
const style = z.strictObject({ bold: z.boolean().optional() }).optional();

const richElement = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: text(3_000), style }),
  z.strictObject({ type: z.literal('link'), url: z.url().max(3_000), text: text(3_000), style }),
]);
const richSection = z.strictObject({ type: z.literal('rich_text_section'), elements: z.array(richElement).min(1) });
const richList = z.strictObject({
  type: z.literal('rich_text_list'),
  style: z.enum(['bullet', 'ordered']),
  elements: z.array(richSection).min(1),
});

const actionId = text(255);
const element = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('button'),
    action_id: actionId,
    text: plain(75),
    value: z.string().max(2_000).optional(),
    style: z.enum(['primary', 'danger']).optional(),
  }),
  z.strictObject({ type: z.literal('users_select'), action_id: actionId, placeholder: plain(150) }),
]);

const block_id = text(255).optional();
const block = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('rich_text'),
    block_id,
    elements: z.array(z.discriminatedUnion('type', [richSection, richList])).min(1),
  }),
  z.strictObject({ type: z.literal('section'), block_id, fields: z.array(plain(2_000)).min(1).max(10) }),
  z.strictObject({ type: z.literal('context'), block_id, elements: z.array(plain(3_000)).min(1).max(10) }),
  z.strictObject({ type: z.literal('actions'), block_id, elements: z.array(element).min(1).max(25) }),
]);

const message = z.object({ text: z.string().max(40_000).optional(), blocks: z.array(block).max(50).optional() });

/** Slack refuses messages whose blocks have more. */
const mostCharacters = 13_000;

/** What Slack would refuse; undefined for nothing. */
export function blockFault(sent: { readonly blocks?: unknown }): string | undefined {
  const { error, data } = message.safeParse(sent);
  if (error) return z.prettifyError(error);
  const blocks = data.blocks ?? [];
  const ids = blocks.flatMap((one) => one.block_id ?? []);
  if (new Set(ids).size < ids.length) return 'block_id is not unique';
  return lettersOf(blocks) > mostCharacters ? 'msg_blocks_too_long' : undefined;
}

function lettersOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (Array.isArray(value)) return value.reduce((sum: number, one) => sum + lettersOf(one), 0);
  if (typeof value !== 'object' || value === null) return 0;
  return Object.entries(value).reduce(
    (sum, [key, one]) => sum + (key === 'text' || key === 'url' || typeof one === 'object' ? lettersOf(one) : 0),
    0,
  );
}
