import { Link } from 'react-router';
import { latinTextClass } from '#platform/web/latin-text-class.ts';
import type { DocumentTwins } from '../twins.contract.ts';

/** How many other documents have nearly the same file; opens their list, also without scripts. */
export function TwinsNote({ twins }: { twins?: DocumentTwins }) {
  if (!twins) return null;
  const { total, document } = twins;
  return (
    <details className="text-13 text-ink-2">
      <summary className="w-fit cursor-pointer rounded-sm py-2.5 transition-colors hover:text-bean md:py-1">
        {`另有 ${total} 份相近文档`}
      </summary>
      <ul className="mb-1 border-l border-line pl-3">
        {document.map(({ id, title, username }) => (
          <li key={id}>
            <Link
              to={`/document/${id}`}
              className={`block truncate rounded-sm py-2 transition-colors hover:text-bean md:py-1 ${latinTextClass(title)}`}
            >
              {title}
              <span className="ml-2">{username}</span>
            </Link>
          </li>
        ))}
        {total > document.length ? <li className="py-1">{`等 ${total} 份`}</li> : null}
      </ul>
    </details>
  );
}
