import { afterAll, expect, test } from 'vitest';
import { publishText } from '#modules/search/search.fixture.ts';
import { createAdminApi } from './admin-api.ts';
import { eventually } from './page-helpers.ts';
import { desktop, phone, startTestSite } from './support/site.ts';

const site = await startTestSite();
const { visit, ctx, pool, errors } = site;
const adminApi = createAdminApi(site);
// Inserted before the first visit, because the home page is cached.
const sharedDocumentId = await publishText(ctx, { title: '本周的讲义', pages: ['正文。'] });
await pool.query('update documents set published_at = now() where id = $1', [sharedDocumentId]);
await pool.query(`insert into banners (title, path) values ('开馆', '/a.png'), ('夜读', '/b.png')`);

afterAll(() => {
  expect(errors, 'errors thrown by pages').toEqual([]);
});

test('the home page shows every top-level category, the site statistics, the top sharers of the week and a carousel that can be paused, on desktop and phone', async () => {
  const { category } = await adminApi.send('GET', '/category/list?parent_id=0&enable=true');
  for (const device of [desktop, phone]) {
    const visitor = await visit('/', { ...device, reducedMotion: 'no-preference' });
    const carousel = visitor.getByRole('region', { name: '横幅' });
    const slideNumber = carousel.getByText(/^[12] \/ 2$/);
    await carousel.getByRole('button', { name: '暂停轮播' }).click();
    await carousel.getByRole('button', { name: '开始轮播' }).waitFor();
    const nextSlideNumber = (await slideNumber.textContent()) === '1 / 2' ? '2 / 2' : '1 / 2';
    await carousel.getByRole('button', { name: '下一张' }).click();
    await eventually(() => slideNumber.textContent()).toBe(nextSlideNumber);
    for (const name of ['上一张', '下一张', '开始轮播'])
      expect((await carousel.getByRole('button', { name }).boundingBox())?.width).toBe(40);
    const statistics = visitor.getByLabel('站点统计');
    await statistics.getByText('收录文档').waitFor();
    await statistics.getByText('注册用户').waitFor();
    const sharers = visitor.getByRole('region', { name: '本周分享达人' });
    await sharers.getByRole('listitem').filter({ hasText: '1 篇文档' }).waitFor();
    const { width } = device.viewport;
    for (const part of [slideNumber, statistics, sharers.getByRole('listitem')]) {
      const { x = -1, width: partWidth = 0 } = (await part.boundingBox()) ?? {};
      expect([x >= 0, x + partWidth <= width]).toEqual([true, true]);
    }
    const categorySection = visitor.getByRole('region', { name: '分类浏览' });
    for (const { title } of category) await categorySection.getByRole('link', { name: title, exact: true }).waitFor();
    // The categories take at most one screen.
    expect((await categorySection.boundingBox())?.height).toBeLessThan(560);
    await visitor.context().close();
  }
});
