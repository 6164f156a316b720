import { afterAll, expect, test } from 'vitest';
import { publishText } from '#modules/search/search.fixture.ts';
import { eventually, keeperOf } from './public-site.ts';
import { desktop, phone, startSite } from './support/site.ts';

const site = await startSite();
const { visit, ctx, pool, errors } = site;
const keeper = keeperOf(site);
// Before any page is drawn: what is drawn is kept for a while.
const shared = await publishText(ctx, { title: '本周的讲义', pages: ['正文。'] });
await pool.query('update documents set published_at = now() where id = $1', [shared]);
await pool.query(`insert into banners (title, path) values ('开馆', '/a.png'), ('夜读', '/b.png')`);

afterAll(() => {
  expect(errors, 'errors thrown by pages').toEqual([]);
});

test('the home page offers every top-level category, the figures, the sharers of the week and a carousel to hold, on a phone as on a desk', async () => {
  const { category } = await keeper.send('GET', '/category/list?parent_id=0&enable=true');
  for (const device of [desktop, phone]) {
    const visitor = await visit('/', { ...device, reducedMotion: 'no-preference' });
    const carousel = visitor.getByRole('region', { name: '横幅' });
    const place = carousel.getByText(/^[12] \/ 2$/);
    await carousel.getByRole('button', { name: '暂停轮播' }).click();
    await carousel.getByRole('button', { name: '开始轮播' }).waitFor();
    const other = (await place.textContent()) === '1 / 2' ? '2 / 2' : '1 / 2';
    await carousel.getByRole('button', { name: '下一张' }).click();
    await eventually(() => place.textContent()).toBe(other);
    for (const name of ['上一张', '下一张', '开始轮播'])
      expect((await carousel.getByRole('button', { name }).boundingBox())?.width).toBe(40);
    const figures = visitor.getByLabel('站点统计');
    await figures.getByText('收录文档').waitFor();
    await figures.getByText('注册用户').waitFor();
    const sharers = visitor.getByRole('region', { name: '本周分享达人' });
    await sharers.getByRole('listitem').filter({ hasText: '1 篇文档' }).waitFor();
    const { width } = device.viewport;
    for (const part of [place, figures, sharers.getByRole('listitem')]) {
      const { x = -1, width: own = 0 } = (await part.boundingBox()) ?? {};
      expect([x >= 0, x + own <= width]).toEqual([true, true]);
    }
    const strip = visitor.getByRole('region', { name: '分类浏览' });
    for (const { title } of category) await strip.getByRole('link', { name: title, exact: true }).waitFor();
    // A screen, not a scroll of its own.
    expect((await strip.boundingBox())?.height).toBeLessThan(560);
    await visitor.context().close();
  }
});
