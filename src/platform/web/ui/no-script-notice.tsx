import { Notice } from './notice.tsx';

/** Shown on pages that render in the browser only, when JavaScript is disabled. */
export const NoScriptNotice = ({ className = '' }: { className?: string }) => (
  <noscript>
    <div className={className}>
      <Notice tone="warning">本页需要浏览器启用 JavaScript，请启用后刷新页面。</Notice>
    </div>
  </noscript>
);
