import { Component, type ReactNode } from 'react';

/** Shown when the error page itself fails to render, so it uses no other component or style. */
export const FALLBACK_MESSAGE = '页面出错了，错误页也没能显示。请刷新页面，或返回首页重试。';

export class FallbackBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };
  static getDerivedStateFromError() {
    return { failed: true };
  }
  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <main role="alert" style={{ padding: 48, textAlign: 'center' }}>
        <p>{FALLBACK_MESSAGE}</p>
        <p>
          <a href="/">返回首页</a>
        </p>
      </main>
    );
  }
}
