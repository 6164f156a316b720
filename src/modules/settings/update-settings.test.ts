import { afterAll, describe, expect, test } from 'vitest';
import { openLiveCache } from '#platform/server/cache/live-cache.ts';
import { inTransaction } from '#platform/server/context.ts';
import { testApp } from '#testing/test-app.ts';
import { settingsTestClient } from './settings.fixture.ts';
import { getSettings } from './settings.ts';

const { app, ctx, as, pool, url } = await testApp();
const root = await as.root();

const { readPublicSettings, list, put, set, displayedValue } = settingsTestClient(app, root);

describe('a change of settings', () => {
  test('takes effect immediately, also on another node', async () => {
    const otherContext = { ...ctx, liveCache: await openLiveCache(url, ctx.log) };
    afterAll(() => otherContext.liveCache.close());
    expect((await getSettings(otherContext)).system.sitename).toBe('豆库');
    expect((await set('system.sitename', '青禾文库')).json()).toEqual({});
    expect((await readPublicSettings()).system.sitename).toBe('青禾文库');
    await expect.poll(async () => (await getSettings(otherContext)).system.sitename).toBe('青禾文库');
  });

  test('of the site name changes the default texts, but not texts that an administrator wrote', async () => {
    const texts = async () => {
      const { title, keywords, description } = (await readPublicSettings()).system;
      return [title, keywords.split(',')[0], description.slice(0, 5)];
    };
    await set('system.sitename', '青禾文库');
    expect(await texts()).toEqual(['青禾文库 · 让知识流动起来', '青禾文库', '青禾文库是']);
    // The form sends the whole group back; default texts with the old name must not be stored by that.
    const group = (await list('?category=system')).map((row) =>
      row.name === 'sitename' ? { ...row, value: '云上书房' } : row,
    );
    expect((await put({ config: group })).statusCode).toBe(200);
    expect(await texts()).toEqual(['云上书房 · 让知识流动起来', '云上书房', '云上书房是']);
    await set('system.title', '豆库的老读者');
    expect((await texts())[0]).toBe('豆库的老读者');
  });

  test('is read back as numbers, booleans and lists', async () => {
    await put({
      config: [
        { category: 'security', name: 'max_document_size', value: '200' },
        { category: 'security', name: 'enable_register', value: 'false' },
        { category: 'system', name: 'recommend_words', value: '高考，论文, 合同' },
      ],
    });
    const { security, system } = await getSettings(ctx);
    expect([security.max_document_size, security.enable_register, system.recommend_words]).toEqual([
      200,
      false,
      ['高考', '论文', '合同'],
    ]);
    expect(await displayedValue('system.recommend_words')).toBe('高考,论文,合同');
  });

  test('accepts whole rows and stores only their values', async () => {
    const rows = await list('?category=score');
    const changedRows = rows.map((row: { name: string }) => ({
      ...row,
      ...(row.name === 'sign_in' && { value: '3', label: 'x', input_type: 'textarea' }),
    }));
    expect((await put({ config: changedRows })).statusCode).toBe(200);
    expect((await getSettings(ctx)).score.sign_in).toBe(3);
    const row = (await list('?category=score')).find(({ name }) => name === 'sign_in');
    expect(row).toMatchObject({ label: '签到奖励', input_type: 'number' });
  });

  test('keeps the secret when the mask is sent back', async () => {
    await set('email.password', 'hunter2-secret');
    expect((await put({ config: await list('?category=email') })).statusCode).toBe(200);
    expect((await getSettings(ctx)).email.password).toBe('hunter2-secret');
  });

  test('stores nothing when one of the values is invalid', async () => {
    const before = await list();
    const answer = await put({
      config: [
        { category: 'system', name: 'title', value: '新的标题' },
        { category: 'email', name: 'port', value: '70000' },
      ],
    });
    expect([answer.statusCode, answer.json().message]).toEqual([400, '【SMTP 端口】应为 1 到 65535 的整数']);
    expect(await list()).toEqual(before);
  });

  test.each<[string, object, string]>([
    ['an unknown name', { category: 'system', name: 'nothing', value: '' }, '没有这项配置：system.nothing'],
    ['an unknown group', { category: 'release', name: 'source', value: '' }, '没有这项配置：release.source'],
    [
      'a property of Object.prototype',
      { category: 'constructor', name: 'name', value: '' },
      '没有这项配置：constructor.name',
    ],
    [
      'an invalid switch value',
      { category: 'email', name: 'enable', value: 'yes' },
      '【是否启用邮件服务】应为 true 或 false',
    ],
    [
      'an image of another site',
      { category: 'system', name: 'logo', value: 'https://a.example/l.png' },
      '【网站Logo】需要先上传到本站',
    ],
    [
      'an image that does not exist',
      { category: 'system', name: 'logo', value: `/uploads/config/00/${'0'.repeat(64)}.png` },
      '【网站Logo】的图片已不存在，请重新上传',
    ],
    [
      'an address without scheme',
      { category: 'system', name: 'domain', value: 'example.com' },
      '【网站域名】应为 http:// 或 https:// 开头的网址',
    ],
  ])('rejects %s with a message that names the setting', async (_, row, message) => {
    const answer = await put({ config: [row] });
    expect([answer.statusCode, answer.json().message]).toEqual([400, message]);
  });

  test.each<[string, object]>([
    ['a number instead of text', { config: [{ category: 'email', name: 'port', value: 465 }] }],
    ['an unknown key in a row', { config: [{ category: 'email', name: 'port', value: '465', x: 1 }] }],
    ['an unknown key', { config: [], x: 1 }],
    ['no list', { config: 'all' }],
    ['NUL', { config: [{ category: 'system', name: 'title', value: 'a\u0000b' }] }],
    ['the same setting twice', { config: ['a', 'b'].map((value) => ({ category: 'system', name: 'title', value })) }],
  ])('rejects %s with 400', async (_, payload) => {
    const answer = await put(payload);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().message).toMatch(/[\u4e00-\u9fff]/);
  });

  test('accepts an uploaded logo', async () => {
    const path = `/uploads/config/ab/ab${'1'.repeat(62)}.png`;
    await ctx.storage.put(path.slice(1), Buffer.from('a picture'));
    expect((await set('system.logo', path)).statusCode).toBe(200);
    expect((await readPublicSettings()).system.logo).toBe(path);
  });

  test('does not overwrite a concurrent change', async () => {
    await Promise.all([set('footer.about', '/a'), set('footer.contact', '/b')]);
    expect((await readPublicSettings()).footer).toMatchObject({ about: '/a', contact: '/b' });
  });

  test('does not store a value that equals the default', async () => {
    await set('download.url_duration', '60');
    const { rows } = await pool.query(`select 1 from settings where category = 'download'`);
    expect(rows).toEqual([]);
  });

  test('replaces an invalid stored value by the default when settings are read', async () => {
    await pool.query(`insert into settings (category, name, value) values ('captcha', 'length', 'many')`);
    ctx.liveCache.invalidateLocally('settings');
    expect((await getSettings({ ...ctx, log: { ...ctx.log, warn: () => {} } })).captcha.length).toBe(5);
    await pool.query(`delete from settings where category = 'captcha'`);
    ctx.liveCache.invalidateLocally('settings');
  });

  test('in a transaction that fails does not stay in the cache', async () => {
    const before = (await getSettings(ctx)).system.keywords;
    const transaction = inTransaction(ctx, async (ctx) => {
      await ctx.db.execute(`insert into settings (category, name, value) values ('system', 'keywords', 'phantom')`);
      ctx.liveCache.invalidateLocally('settings');
      expect((await getSettings(ctx)).system.keywords).toBe('phantom');
      throw new Error('undo');
    });
    await expect(transaction).rejects.toThrow('undo');
    expect((await getSettings(ctx)).system.keywords).toBe(before);
  });
});
