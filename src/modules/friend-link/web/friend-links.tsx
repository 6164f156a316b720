import type { FriendLink } from '../friend-link.contract.ts';

export type FriendLinkItem = Pick<FriendLink, 'id' | 'title' | 'link'>;

/** Links to other sites, which open in a new tab. */
export function FriendLinks({ links }: { links: FriendLinkItem[] }) {
  if (links.length === 0) return null;
  return (
    <section aria-labelledby="friend-links" className="page-width mt-12">
      <div className="card p-5">
        <h2 id="friend-links" className="font-serif text-18 font-bold">
          友情链接
        </h2>
        <ul className="mt-1 -ml-2 flex flex-wrap">
          {links.map(({ id, title, link }) => (
            <li key={id}>
              <a
                href={link}
                target="_blank"
                rel="noopener"
                className="quiet-link inline-flex min-h-10 items-center px-2 text-14"
              >
                {title}
              </a>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
