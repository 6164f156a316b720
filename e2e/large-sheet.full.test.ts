import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { makeLargeWorkbook } from '#modules/conversion/large-workbook.fixture.ts';
import { newPublisher } from '#modules/reading/reading.fixture.ts';
import { saveScreenshot } from './support/screenshot.ts';
import { desktop, phone, startTestSite } from './support/site.ts';

const ROWS = 200_000;
/** Rows in the window and above and below it. */
const MAX_RENDERED_ROWS = 80;
const SCROLL_STEPS = 60;

const { visit, ctx, app, errors } = await startTestSite();
const publisher = await newPublisher(ctx);
const startedAt = performance.now();
const id = await publisher.publish(makeLargeWorkbook({ rows: ROWS, columns: 10 }), '.xlsx', { title: '二十万行' });
console.info(`200,000 rows were converted in ${Math.round((performance.now() - startedAt) / 1000)} s`);

afterAll(() => {
  expect(errors, 'errors thrown by pages').toEqual([]);
});

const grid = (page: Page) => page.getByRole('region', { name: '工作表 明细' });

/** Scrolls from the first to the last row in `steps` frames; returns the duration of the longest task in milliseconds. */
const scrollThrough = (page: Page, steps: number): Promise<number> =>
  grid(page).evaluate(async (element, steps) => {
    let longestTask = 0;
    const observer = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longestTask = Math.max(longestTask, duration);
    });
    observer.observe({ type: 'longtask' });
    const distance = element.scrollHeight - element.clientHeight;
    for (let step = 1; step <= steps; step++) {
      element.scrollTop = (distance * step) / steps;
      await new Promise(requestAnimationFrame);
    }
    observer.disconnect();
    return longestTask;
  }, steps);

test.each([
  ['desktop', desktop],
  ['a phone', phone],
])(
  'on %s the reader scrolls through 200,000 rows, renders the visible ones and loads few of them',
  async (name, device) => {
    const page = await visit(`/document/${id}`, device);
    await grid(page).getByText('第2项', { exact: true }).waitFor();
    const requests: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/document/pages')) requests.push(request.url());
    });
    const longestTask = await scrollThrough(page, SCROLL_STEPS);
    await grid(page).getByText(`第${ROWS}项`, { exact: true }).waitFor();
    const renderedRows = await grid(page).locator('tr[aria-rowindex]').count();
    console.info(`${name}: longest task ${longestTask} ms, ${renderedRows} rows rendered, ${requests.length} requests`);
    expect(renderedRows).toBeLessThan(MAX_RENDERED_ROWS);
    // 400 requests would load all rows.
    expect(requests.length).toBeLessThan(40);
    await saveScreenshot(page, `large-sheet-${device.viewport.width}`);
  },
);

test('slow scrolling through a part of 200,000 rows shows every row that it stops at', async () => {
  const page = await visit(`/document/${id}`);
  await grid(page).getByText('第2项', { exact: true }).waitFor();
  for (const row of [1_000, 1_400, 90_000, 150_000]) {
    await grid(page).evaluate((element, top) => {
      element.scrollTop = top;
    }, row * 32);
    await grid(page)
      .getByText(`第${row + 5}项`, { exact: true })
      .waitFor();
  }
});

test('a link to a page and the search in the document open rows far down', async () => {
  const page = await visit(`/document/${id}?page=1501`);
  await grid(page).getByText('第150005项', { exact: true }).waitFor();
  const { total, page: hits } = (
    await app.inject({ url: `/api/v1/document/find?id=${id}&wd=${encodeURIComponent('第199876项')}` })
  ).json();
  expect({ total, hits }).toMatchObject({ total: 1, hits: [{ page: 1999, count: 1 }] });
});
