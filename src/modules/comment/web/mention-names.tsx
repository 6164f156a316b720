import { createContext, useContext } from 'react';
import { useUser } from '#modules/account/web/session.ts';

/** The names of those who speak below a document. */
export const Speakers = createContext<string[]>([]);

const BEGUN = /(?<![\p{L}\p{N}_.-])@([\p{Script=Han}A-Za-z0-9_.-]{0,32})$/u;
const MOST = 6;

/** Names that go on from what was begun with @ before the caret. `onChoose`: the text before it anew. */
export function MentionNames({
  before,
  onChoose,
}: {
  /** What stands before the caret. */
  before: string;
  onChoose: (before: string) => void;
}) {
  const own = useUser()?.username;
  const speakers = useContext(Speakers);
  const begun = BEGUN.exec(before)?.[1]?.toLowerCase();
  if (begun === undefined) return null;
  const names = speakers.filter(
    (name) => name !== own && name.toLowerCase() !== begun && name.toLowerCase().startsWith(begun),
  );
  if (names.length === 0) return null;
  return (
    <ul aria-label="可以提醒的人" className="mt-2 flex flex-wrap gap-2">
      {names.slice(0, MOST).map((name) => (
        <li key={name}>
          <button
            type="button"
            className="min-h-10 rounded-md bg-bean-soft px-3 text-14 text-bean transition-colors hover:bg-bean hover:text-on-bean"
            onClick={() => onChoose(`${before.slice(0, before.length - begun.length)}${name} `)}
          >
            @{name}
          </button>
        </li>
      ))}
    </ul>
  );
}
