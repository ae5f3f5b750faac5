import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/** The words of a message that lead to the form of a new channel. */
export const toNewChannel = (text: ReactNode) => (
  <Link to="/settings/channels" search={{ edit: 'new' }}>
    {text}
  </Link>
);
