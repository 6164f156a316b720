import type { ComponentProps } from 'react';

type Props<T extends 'div' | 'section' | 'script'> = Omit<ComponentProps<T>, 'children'> & {
  as: T;
  /** Written in the code of this site, or sanitized by the server before it was stored. */
  html: string;
};

/** Renders HTML without escaping. The only use of dangerouslySetInnerHTML. */
export function TrustedHtml<T extends 'div' | 'section' | 'script'>({ as: Tag, html, ...rest }: Props<T>) {
  const Element = Tag as 'div';
  return (
    <Element
      {...(rest as ComponentProps<'div'>)}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: `html` is trusted
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}
