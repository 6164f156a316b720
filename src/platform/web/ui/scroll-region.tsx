import type { ComponentProps } from 'react';

/** A part of the page that scrolls by itself: also by keyboard, so it can be reached by one. */
export function ScrollRegion({ label, ...rest }: ComponentProps<'section'> & { label: string }) {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
  return <section tabIndex={0} aria-label={label} {...rest} />;
}
