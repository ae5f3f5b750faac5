import { lazily } from './lazily.tsx';

/** For what cannot be undone. Its code comes when it is first asked. */
export const Confirm = lazily(async () => (await import('./ConfirmDialog.tsx')).ConfirmDialog);
