import type { ComponentProps } from 'react';

type Props<T extends 'div' | 'section' | 'script'> = Omit<ComponentProps<T>, 'children'> & {
  as: T;
  /** Our own, or made safe on the server before it was kept. */
  html: string;
};

/** HTML as it is: the one place where a page takes any. */
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
