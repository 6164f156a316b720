import type { ReactNode } from 'react';

const tones = {
  failure: 'bg-red-soft text-red',
  warning: 'bg-amber-soft text-amber',
  success: 'bg-bean-soft text-bean',
};

/** Message within a form; hidden while it is empty. */
export function Notice({ tone, children }: { tone: keyof typeof tones; children?: ReactNode }) {
  return (
    <p
      role={tone === 'failure' ? 'alert' : 'status'}
      className={`rounded-md px-3.5 py-2.5 text-14 whitespace-pre-line empty:hidden ${tones[tone]}`}
    >
      {children}
    </p>
  );
}
