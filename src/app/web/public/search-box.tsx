import { Search } from 'lucide-react';
import type { FormEvent } from 'react';
import { useNavigate } from 'react-router';

export const searchHref = (word: string) => `/search?wd=${encodeURIComponent(word)}`;

const looks = {
  bar: 'h-10 rounded-md border-transparent bg-sunken text-14 hover:border-line focus-within:bg-surface [&_button]:w-10',
  hero: 'h-14 rounded-lg border-line bg-surface pl-2 text-16 shadow-float [&_button]:w-16',
};

/** Enter or the icon goes to the search page and empties the box; an empty term does nothing. */
export function SearchBox({
  look = 'bar',
  placeholder = '搜索文档...',
  initial = '',
  onSearch,
}: {
  look?: keyof typeof looks;
  placeholder?: string;
  initial?: string;
  onSearch?: () => void;
}) {
  const navigate = useNavigate();
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const word = String(new FormData(form).get('wd')).trim();
    if (!word) return;
    form.reset();
    onSearch?.();
    void navigate(searchHref(word));
  }
  return (
    <search>
      <form
        action="/search"
        onSubmit={submit}
        className={`flex w-full items-center border text-ink transition-colors focus-within:border-bean focus-within:outline-2 focus-within:outline-bean ${looks[look]}`}
      >
        <input
          type="search"
          name="wd"
          aria-label="搜索文档"
          autoComplete="off"
          maxLength={200}
          placeholder={placeholder}
          defaultValue={initial}
          className="h-full min-w-0 flex-1 appearance-none bg-transparent px-3.5 outline-none [&::-webkit-search-cancel-button]:hidden"
        />
        <button
          type="submit"
          aria-label="搜索"
          className="grid h-full shrink-0 place-items-center rounded-md text-ink-2 transition-colors hover:text-bean"
        >
          <Search aria-hidden="true" className={look === 'hero' ? 'size-5.5' : 'size-4.5'} />
        </button>
      </form>
    </search>
  );
}
