import type { ReactNode } from 'react';

/** Decorative line drawing in the text colour with the brand colour as accent. */
function IllustrationSvg({ height, children }: { height: 112 | 128; children: ReactNode }) {
  return (
    <svg
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      viewBox={`0 0 180 ${height}`}
      width="180"
      height={height}
      className="text-line-strong"
    >
      {children}
    </svg>
  );
}

/** A shelf with two books, for empty lists. */
export function EmptyShelfIllustration() {
  return (
    <IllustrationSvg height={112}>
      <path d="M10 96h160" />
      <path d="M24 96v8m132-8v8" />
      <rect x="34" y="36" width="18" height="60" rx="3" className="fill-surface" />
      <path d="M39 48h8m-8 6h8" />
      <rect x="52" y="46" width="14" height="50" rx="3" className="fill-bean-soft stroke-bean" />
      <path d="M59 56v10" className="stroke-bean" />
      <g transform="rotate(14 84 96)">
        <rect x="72" y="40" width="16" height="56" rx="3" className="fill-surface" />
        <path d="M77 82h6" />
      </g>
      <path d="M112 96c0-14 2-22 8-30" className="stroke-bean" />
      <path
        d="M120 66c-9 1-15-4-16-13 9-1 15 4 16 13Zm1-1c0-9 6-15 15-15 0 9-6 15-15 15Z"
        className="fill-bean-soft stroke-bean"
      />
      <path d="M104 84h16l-2 12h-12Z" className="fill-surface" />
      <path d="M140 30l2 4 4 2-4 2-2 4-2-4-4-2 4-2Z" strokeWidth="1.5" />
      <path d="M22 22l1.500 3 3 1.500-3 1.500-1.500 3-1.500-3-3-1.500 3-1.500Z" strokeWidth="1.5" />
    </IllustrationSvg>
  );
}

/** A page that fell out of a book, for the error page. */
export function LostPageIllustration() {
  return (
    <IllustrationSvg height={128}>
      <path d="M20 64c24-10 46-10 70 0v46c-24-10-46-10-70 0ZM90 110c24-10 46-10 70 0" className="fill-surface" />
      <path d="M160 110V64c-4-2-8-3-12-4" strokeDasharray="3 6" />
      <path d="M34 76c13-5 28-5 42 0M34 88c13-5 28-5 42 0" />
      <g transform="rotate(16 128 40)">
        <path d="M106 12h32l12 12v44h-44Z" className="fill-bean-soft stroke-bean" />
        <path d="M138 12v12h12" className="stroke-bean" />
        <path d="M116 38h24m-24 10h16" className="stroke-bean" />
      </g>
      <path d="M92 40c4-6 6-10 6-16m-12 4c3-3 4-5 4-9" strokeWidth="1.5" />
    </IllustrationSvg>
  );
}

/** A page with a pencil, for an empty list of articles. */
export function PageInProgressIllustration() {
  return (
    <IllustrationSvg height={128}>
      <path d="M14 112h152" />
      <path d="M54 16h56l18 18v78H54Z" className="fill-surface" />
      <path d="M110 16v18h18" />
      <path d="M68 48h40M68 62h46M68 76h22" />
      <path d="M68 90h10" strokeDasharray="3 6" />
      <g transform="rotate(40 116 84)">
        <path d="M110 50h12v36l-6 12-6-12Z" className="fill-bean-soft stroke-bean" />
        <path d="M110 60h12" className="stroke-bean" />
      </g>
    </IllustrationSvg>
  );
}
