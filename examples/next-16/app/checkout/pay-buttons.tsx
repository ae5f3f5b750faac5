'use client';
import { captureException } from '@sentry/nextjs';
import { useState, useTransition } from 'react';
import { pay } from './actions';

export function PayButtons() {
  const [pending, startTransition] = useTransition();
  const [problem, setProblem] = useState('');

  async function payOrExplain() {
    try {
      await pay(20);
    } catch (error) {
      captureException(error);
      setProblem('Your payment was refused.');
    }
  }

  return (
    <>
      <button disabled={pending} onClick={() => startTransition(() => pay(10))}>
        Pay
      </button>
      <button onClick={() => void payOrExplain()}>Pay or explain</button>
      <button onClick={() => void pay(30)}>Pay later</button>
      <p role="status">{problem}</p>
    </>
  );
}
