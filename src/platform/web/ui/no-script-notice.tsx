import { Notice } from './notice.tsx';

/** Why nothing more comes, where a page is made in the browser: only seen where scripts are off. */
export const NeedsScript = ({ className = '' }: { className?: string }) => (
  <noscript>
    <div className={className}>
      <Notice tone="warning">本页需要浏览器启用 JavaScript，请启用后刷新页面。</Notice>
    </div>
  </noscript>
);
