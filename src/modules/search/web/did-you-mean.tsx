import { Link } from 'react-router';
import { searchHref } from './search-url.ts';

export function DidYouMean({ word }: { word: string }) {
  return (
    <p>
      您是不是要找：
      <Link
        to={searchHref({ wd: word })}
        rel="nofollow"
        className="inline-flex min-h-10 items-center rounded-sm font-medium text-bean underline-offset-4 hover:underline"
      >
        {word}
      </Link>
    </p>
  );
}
