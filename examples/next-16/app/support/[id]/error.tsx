'use client';
import { useCaptured } from '@culprit/next/failure';
import { captureException } from '@sentry/nextjs';

export default function SupportError({ error }: { error: Error & { digest?: string } }) {
  const eventId = useCaptured(error, captureException);
  return (
    <main>
      <h1>Support is not available.</h1>
      <p>{error.digest ? `Digest: ${error.digest}` : `Event ID: ${eventId ?? ''}`}</p>
    </main>
  );
}
