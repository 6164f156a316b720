import { beforeAll, expect, test } from 'vitest';
import { testApp } from '#testing/test-app.ts';
import { indexQueuedDocuments } from './index/index-documents.ts';
import { publishText } from './search.fixture.ts';
import { searchEnv } from './search-engine.fixture.ts';

const { app, ctx } = await testApp({ env: searchEnv() });
const search = async (wd: string): Promise<string[]> => {
  const answer = await app.inject({ url: '/api/v1/document/search', query: { wd } });
  return answer.json().document.map(({ title }: { title: string }) => title.replace(/<[^>]+>/g, ''));
};

beforeAll(async () => {
  await publishText(ctx, { title: '公司章程模板', pages: ['第一条'] });
  await publishText(ctx, { title: '鸟类图鉴', pages: ['湿地里有仙鹤和白鹭'] });
  await publishText(ctx, { title: '园林一览', pages: ['亭台楼阁'] });
  await publishText(ctx, { title: '年度账目', pages: ['本月支出3,150元，增长12.8，室温56℃'] });
  await publishText(ctx, { title: '体检表', pages: ['体温36.5℃，下降13.7%，步行4.6km，重95kg，共7,280.50元，占0.9‰'] });
  await publishText(ctx, { title: '旧账', pages: ['共3件，第150号，12页第8行，56人'] });
  await publishText(ctx, { title: '化妆和服装入门', pages: ['打扮'] });
  await publishText(ctx, { title: '日本和服的穿法', pages: ['腰带'] });
  await indexQueuedDocuments(ctx);
});

test.each(['gongsizhangcheng', 'gszc', 'gongsizhangchengmuban', 'zhangcheng', 'gszcmb'])(
  'a search for the pinyin %s finds the title 公司章程模板',
  async (wd) => {
    expect(await search(wd)).toContain('公司章程模板');
  },
);

test('a search for a single character finds texts that have it within a longer word', async () => {
  expect(await search('鹤')).toEqual(['鸟类图鉴']);
});

test.each(['3,150', '12.8', '56℃', '3150'])(
  'a search for the number %s finds the text with that number and no text with only its parts',
  async (wd) => {
    expect(await search(wd)).toEqual(['年度账目']);
  },
);

test.each(['36.5', '36.5℃', '13.7', '13.7%', '4.6', '4.6km', '95', '95kg', '7,280.50', '7280.50', '0.9'])(
  'a search for the number %s finds the text that has it with a unit',
  async (wd) => {
    expect(await search(wd)).toEqual(['体检表']);
  },
);

test('a search for a number with a unit does not find the number with another unit', async () => {
  expect(await search('36.5%')).toEqual([]);
});

test('a search for 56 also finds the number 56℃', async () => {
  expect(await search('56')).toEqual(expect.arrayContaining(['年度账目', '旧账']));
});

test('a search for 和服 ranks a title with that word above 化妆和服装, where the characters belong to two words', async () => {
  expect(await search('和服')).toEqual(['日本和服的穿法', '化妆和服装入门']);
});
