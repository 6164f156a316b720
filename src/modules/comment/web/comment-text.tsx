import { Link } from 'react-router';
import { latinTextClass } from '#platform/web/latin-text-class.ts';
import type { Mention } from '../comment.contract.ts';

export function CommentText({ content, mention }: { content: string; mention: Mention[] }) {
  return (
    <p className={`whitespace-pre-line ${latinTextClass(content)}`}>
      {splitAtMentions(content, mention).map(({ text, user, at }) =>
        user ? (
          <Link key={at} to={`/user/${user.id}`} className="text-bean hover:underline">
            {text}
          </Link>
        ) : (
          text
        ),
      )}
    </p>
  );
}

type Part = { text: string; at: number; user?: Mention };

/** Splits a text at mentions. If one name is a prefix of another, the longer name wins. */
export function splitAtMentions(content: string, mention: Mention[]): Part[] {
  const names = [...mention].sort((a, b) => b.username.length - a.username.length);
  const lower = content.toLowerCase();
  const parts: Part[] = [];
  let from = 0;
  for (let at = lower.indexOf('@'); at >= 0; at = lower.indexOf('@', at + 1)) {
    const user = names.find(({ username }) => lower.startsWith(username.toLowerCase(), at + 1));
    if (!user || at < from) continue;
    if (at > from) parts.push({ text: content.slice(from, at), at: from });
    from = at + 1 + user.username.length;
    parts.push({ text: content.slice(at, from), at, user });
  }
  if (from < content.length) parts.push({ text: content.slice(from), at: from });
  return parts;
}
