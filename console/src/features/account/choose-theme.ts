import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { setTheme, type Theme } from '../../ui/theme.ts';

/** This browser changes at once; where the server cannot be told, it alone does. */
export function useChooseTheme(): (theme: Theme) => void {
  const queries = useQueryClient();
  const router = useRouter();
  return (theme) => {
    setTheme(theme);
    // Loaded now: who only reads needs none of it.
    import('./preferences.ts')
      .then(({ keepTheme }) => keepTheme(queries, theme))
      .then(
        () => router.invalidate(),
        () => undefined,
      );
  };
}
