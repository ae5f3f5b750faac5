import { lazily } from '../../ui/lazily.tsx';

/** Two pages of settings have it far down, and load without it. */
export const RuleEditor = lazily(async () => (await import('../grouping/RuleEditor.tsx')).RuleEditor);
