import { createContext, useContext } from 'react';
import { useUser } from '#modules/account/web/session-store.ts';

export const CommenterNames = createContext<string[]>([]);

const INCOMPLETE_MENTION = /(?<![\p{L}\p{N}_.-])@([\p{Script=Han}A-Za-z0-9_.-]{0,32})$/u;
const MAX_SUGGESTIONS = 6;

/** Suggests names for an incomplete mention. `onChoose` gets the text before the caret with the name completed. */
export function MentionSuggestions({
  before,
  onChoose,
}: {
  /** Text before the caret. */
  before: string;
  onChoose: (before: string) => void;
}) {
  const myName = useUser()?.username;
  const commenterNames = useContext(CommenterNames);
  const typedPrefix = INCOMPLETE_MENTION.exec(before)?.[1]?.toLowerCase();
  if (typedPrefix === undefined) return null;
  const names = commenterNames.filter(
    (name) => name !== myName && name.toLowerCase() !== typedPrefix && name.toLowerCase().startsWith(typedPrefix),
  );
  if (names.length === 0) return null;
  return (
    <ul aria-label="可以提醒的人" className="mt-2 flex flex-wrap gap-2">
      {names.slice(0, MAX_SUGGESTIONS).map((name) => (
        <li key={name}>
          <button
            type="button"
            className="min-h-10 rounded-md bg-bean-soft px-3 text-14 text-bean transition-colors hover:bg-bean hover:text-on-bean"
            onClick={() => onChoose(`${before.slice(0, before.length - typedPrefix.length)}${name} `)}
          >
            @{name}
          </button>
        </li>
      ))}
    </ul>
  );
}
