import { Star } from 'lucide-react';
import { useId, useState } from 'react';
import { Link } from 'react-router';
import { useUser } from '#modules/account/web/session-store.ts';
import { useLoginHref } from '#modules/account/web/use-login-href.ts';
import { useQueryPerUser } from '#modules/account/web/use-query-per-user.ts';
import { useAction } from '#platform/web/use-action.ts';
import { ratingApi, SCORE_PER_STAR, STAR_LABELS } from '../rating.contract.ts';
import { Stars } from './stars.tsx';

type RatedDocument = { id: number; user_id: number; score: number; score_count: number };

/** Average rating of a document and the rating of the user. */
export function RatingPanel({ document }: { document: RatedDocument }) {
  const [average, setAverage] = useState({
    score: document.score,
    score_count: document.score_count,
  });
  const user = useUser();
  const loginHref = useLoginHref();
  const { score, score_count } = average;
  return (
    <section aria-label="评分" className="card flex flex-wrap items-center justify-between gap-x-8 gap-y-3 p-5 md:p-6">
      {score_count > 0 ? (
        <p className="flex items-center gap-3">
          <span className="font-serif text-28 font-bold">{(score / SCORE_PER_STAR).toFixed(1)}</span>
          <span>
            <Stars score={score} />
            <span className="block text-13 text-ink-2">{`${score_count} 人评分`}</span>
          </span>
        </p>
      ) : (
        <p className="text-14 text-ink-2">还没有人评分</p>
      )}
      {user === null ? (
        <Link to={loginHref} rel="nofollow" className="quiet-link py-2 text-14 underline">
          登录后评分
        </Link>
      ) : user.id === document.user_id ? null : (
        <MyRating id={document.id} onRated={setAverage} />
      )}
    </section>
  );
}

function MyRating({ id, onRated }: { id: number; onRated: (average: { score: number; score_count: number }) => void }) {
  const { data } = useQueryPerUser(ratingApi.get, { document_id: id });
  const [hoveredStars, setHoveredStars] = useState(0);
  // Displayed until the stored rating is loaded again.
  const [pendingStars, setPendingStars] = useState(0);
  const name = useId();
  const myStars = pendingStars || (data?.score ?? 0) / SCORE_PER_STAR;
  const displayedStars = hoveredStars || myStars;
  const put = useAction(ratingApi.put, {
    success: '提交评分成功',
    failure: '评分失败',
    invalidates: [ratingApi.get],
    invalidatesAfterFailure: true,
    onDone: onRated,
  });
  const rate = async (stars: number) => {
    setPendingStars(stars);
    const score = (stars * SCORE_PER_STAR) as 100 | 200 | 300 | 400 | 500;
    await put.run({ document_id: id, score });
    setPendingStars((now) => (now === stars ? 0 : now));
  };
  return (
    <fieldset
      disabled={!data}
      className="flex flex-wrap items-center gap-x-3"
      onPointerLeave={() => setHoveredStars(0)}
    >
      <legend className="contents text-14 text-ink-2">
        <span>{myStars > 0 ? '我的评分' : '给文档评分'}</span>
      </legend>
      <span className="flex">
        {STAR_LABELS.map((label, at) => (
          <label
            key={label}
            title={label}
            onPointerEnter={() => setHoveredStars(at + 1)}
            className="grid size-10 cursor-pointer place-items-center rounded-md has-focus-visible:outline-2 has-focus-visible:outline-bean"
          >
            <input
              type="radio"
              name={name}
              value={at + 1}
              checked={myStars === at + 1}
              onChange={() => rate(at + 1)}
              aria-label={`${at + 1} 星，${label}`}
              className="sr-only"
            />
            <Star
              aria-hidden="true"
              className={`size-6 transition-colors ${at < displayedStars ? 'fill-amber text-amber' : 'text-line-strong'}`}
            />
          </label>
        ))}
      </span>
      <span aria-hidden="true" className="w-20 text-14 text-ink-2 max-md:hidden">
        {STAR_LABELS[displayedStars - 1] ?? ''}
      </span>
    </fieldset>
  );
}
