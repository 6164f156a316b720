import type { ComponentProps } from 'react';

/** Scrollable part of the page. It is focusable, so that the keyboard can scroll it. */
export function ScrollRegion({ label, ...rest }: ComponentProps<'section'> & { label: string }) {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be focusable to scroll by keyboard
  return <section tabIndex={0} aria-label={label} {...rest} />;
}
