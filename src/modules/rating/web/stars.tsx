import { Star } from 'lucide-react';
import { SCORE_PER_STAR } from '../rating.contract.ts';

/** Average score as stars, including a partial star. */
export function Stars({ score, className = 'size-4' }: { score: number; className?: string }) {
  return (
    <span aria-hidden="true" className="inline-flex">
      {[1, 2, 3, 4, 5].map((star) => {
        const share = Math.min(1, Math.max(0, score / SCORE_PER_STAR - star + 1));
        return (
          <span key={star} className="relative">
            <Star className={`${className} text-line-strong`} />
            <span className="absolute inset-y-0 left-0 overflow-hidden" style={{ width: `${share * 100}%` }}>
              <Star className={`${className} max-w-none fill-amber text-amber`} />
            </span>
          </span>
        );
      })}
    </span>
  );
}
