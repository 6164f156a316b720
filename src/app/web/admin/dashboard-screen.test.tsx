import { act, screen, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { dashboardApi } from '#modules/dashboard/dashboard.contract.ts';
import { fillZeroValues } from '#platform/web/fill-zero-values.ts';
import { replyTo } from '#testing/web/api-replies.ts';
import { renderPage, testUser } from '#testing/web/render-page.tsx';
import { DashboardScreen } from './dashboard-screen.tsx';

it('the totals of the dashboard show their loading state for at least 200 ms', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  try {
    const overview = fillZeroValues(dashboardApi.overview.output, { stats: { document: 1_234 } });
    renderPage(<DashboardScreen />, {
      user: testUser(),
      settings: { email: { enable: true } },
      replies: [replyTo(dashboardApi.overview, overview), replyTo(dashboardApi.envs, { envs: [] })],
    });
    const totals = within(screen.getByRole('region', { name: '数据统计' }));
    await act(() => vi.advanceTimersByTimeAsync(190));
    expect(totals.getAllByText('–')).toHaveLength(9);
    await act(() => vi.advanceTimersByTimeAsync(60));
    totals.getByText('1,234');
  } finally {
    vi.useRealTimers();
  }
});
