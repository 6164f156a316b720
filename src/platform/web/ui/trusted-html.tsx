import type { ComponentProps } from 'react';

type Props<T extends 'div' | 'section' | 'script'> = Omit<ComponentProps<T>, 'children'> & {
  as: T;
  /** Written by us, or sanitized by the server before it was stored. */
  html: string;
};

/** Renders HTML without escaping. The only use of dangerouslySetInnerHTML. */
export function TrustedHtml<T extends 'div' | 'section' | 'script'>({ as: Tag, html, ...rest }: Props<T>) {
  const Element = Tag as 'div';
  return (
    <Element
      {...(rest as ComponentProps<'div'>)}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: see above
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}
