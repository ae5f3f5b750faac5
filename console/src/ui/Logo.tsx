/** Three stack frames, the middle one at fault. */
export function Logo({ size = 20 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="var(--text)" />
      <path fill="var(--bg)" d="M8 9h10v3H8zM8 20h7v3H8z" />
      <path fill="var(--level-error)" d="M8 14.5h16v3H8z" />
    </svg>
  );
}
