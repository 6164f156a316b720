import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'react-router';
import { latinTextClass } from '#platform/web/latin-text-class.ts';
import { Cover } from './cover.tsx';
import { TypeTag } from './type-tag.tsx';

/** A document in the account's lists: small cover, title, `children` and an action. */
export function CompactDocumentItem({
  document,
  to,
  children,
  action,
}: {
  document: ComponentProps<typeof Cover>['document'] & { title: string; ext: string };
  to: string;
  children: ReactNode;
  action?: ReactNode;
}) {
  return (
    <li className="flex items-start gap-4 py-4">
      <div className="w-12 shrink-0 md:w-16">
        <Cover document={document} />
      </div>
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <TypeTag extension={document.ext} />
          <Link
            to={to}
            className={`line-clamp-2 min-w-0 rounded-sm font-medium transition-colors hover:text-bean ${latinTextClass(document.title)}`}
          >
            {document.title}
          </Link>
        </p>
        {children}
      </div>
      {action}
    </li>
  );
}
