import { FileText, History, Search } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect } from 'react';
import { useAction } from '#platform/web/use-action.ts';
import { searchApi } from '../search.contract.ts';
import { HighlightedText } from './highlighted-text.tsx';
import { useCombobox } from './use-combobox.ts';
import { type SuggestionOption, useSuggestions } from './use-suggestions.ts';

const groups = [
  { type: 'history', title: '我搜过的', Icon: History },
  { type: 'word', title: '大家在搜', Icon: Search },
  { type: 'title', title: '文档', Icon: FileText },
] as const;

type Props = {
  id: string;
  frame: RefObject<HTMLElement | null>;
  onActive: (option: string | null) => void;
  onGo: (to: string) => void;
};

/**
 * Suggestion list by the ARIA combobox pattern. `onActive` gets the id of the option chosen by the arrow keys, null
 * when closed.
 */
export function Suggestions({ id, frame, onActive, onGo }: Props) {
  // The hooks depend on each other: the keyboard handler on the options, the options on the text.
  const options: { current: SuggestionOption[] } = { current: [] };
  const box = useCombobox(frame, {
    count: () => options.current.length,
    select: (at) => {
      const option = options.current[at];
      if (option) onGo(option.to);
    },
  });
  const isTyped = box.text.trim() !== '';
  const suggestions = useSuggestions(box.text, box.isOpen);
  options.current = suggestions;
  const isOpen = box.isOpen && suggestions.length > 0;
  const active = box.at >= 0 && box.at < suggestions.length ? `${id}-${box.at}` : '';
  useEffect(() => onActive(isOpen ? active : null), [isOpen, active, onActive]);
  useEffect(() => {
    if (active) document.getElementById(active)?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  if (!isOpen) return null;
  const select = (option: SuggestionOption) => {
    box.close();
    onGo(option.to);
  };
  return (
    <div className="absolute inset-x-0 top-full z-40 mt-1.5 rounded-md border border-line bg-surface p-1.5 text-14 text-ink shadow-float">
      <div id={id} role="listbox" aria-label="搜索建议" className="max-h-[min(26rem,60dvh)] overflow-y-auto">
        {groups.map(({ type, title, Icon }) => {
          const groupOptions = suggestions.flatMap((option, at) => (option.type === type ? [{ option, at }] : []));
          if (groupOptions.length === 0) return null;
          return (
            // Matches of typed text also come from titles and keywords.
            <OptionGroup key={type} title={type === 'word' && isTyped ? '搜索词' : title}>
              {groupOptions.map(({ option, at }) => (
                <Option
                  key={`${option.to} ${option.text}`}
                  id={`${id}-${at}`}
                  option={option}
                  Icon={Icon}
                  isActive={at === box.at}
                  onSelect={() => select(option)}
                />
              ))}
            </OptionGroup>
          );
        })}
      </div>
      {!isTyped && suggestions.some(({ type }) => type === 'history') ? (
        <DeleteHistoryButton onDone={() => frame.current?.querySelector('input')?.focus()} />
      ) : null}
    </div>
  );
}

const OptionGroup = ({ title, children }: { title: string; children: ReactNode }) => (
  // biome-ignore lint/a11y/useSemanticElements: a listbox may contain groups but no fieldset
  <div role="group" aria-label={title}>
    <p aria-hidden="true" className="px-2.5 pt-1.5 pb-1 text-12 text-ink-2">
      {title}
    </p>
    {children}
  </div>
);

type OptionProps = {
  id: string;
  option: SuggestionOption;
  Icon: typeof Search;
  isActive: boolean;
  onSelect: () => void;
};

const Option = ({ id, option, Icon, isActive, onSelect }: OptionProps) => (
  <button
    id={id}
    type="button"
    role="option"
    // The input handles the keys and names the active option.
    tabIndex={-1}
    aria-selected={isActive}
    // Keeps the focus in the input, so that the list is still open when the click ends.
    onPointerDown={(event) => event.preventDefault()}
    onMouseDown={(event) => event.preventDefault()}
    onClick={onSelect}
    className="flex min-h-10 w-full cursor-pointer items-center gap-2.5 text-left rounded-sm px-2.5 hover:bg-sunken aria-selected:bg-bean-soft md:min-h-9"
  >
    <Icon aria-hidden="true" className="size-4 shrink-0 text-ink-2" />
    <span className="min-w-0 truncate">
      <HighlightedText text={option.text} marks={option.marks} />
    </span>
  </button>
);

/** Moves the focus to the input, because the button disappears with the last entry. */
function DeleteHistoryButton({ onDone }: { onDone: () => void }) {
  const deletion = useAction(searchApi.deleteHistory, {
    failure: '没有清除，请稍后重试',
    invalidates: [searchApi.history],
    onDone,
  });
  return (
    <button
      type="button"
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => deletion.run({})}
      className="mt-1 flex min-h-10 w-full items-center justify-end rounded-sm px-2.5 text-13 text-ink-2 transition-colors hover:text-bean md:min-h-8"
    >
      清除历史记录
    </button>
  );
}
