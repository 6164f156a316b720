import type { palettes } from '../demo-document.ts';

/** What an administrator puts on the home page. */
export const bannerTexts: {
  title: string;
  url: string;
  drawing: 'shelf' | 'hills' | 'pages';
  palette: keyof typeof palettes;
}[] = [
  { title: '把读过的好文档，留给下一个人', url: '/upload', drawing: 'shelf', palette: 'pine' },
  {
    title: '今晚读诗：唐人绝句六十首',
    url: `/search?wd=${encodeURIComponent('绝句')}`,
    drawing: 'hills',
    palette: 'indigo',
  },
  {
    title: '从合同到总结，办公文书拿来就用',
    url: `/search?wd=${encodeURIComponent('合同')}`,
    drawing: 'pages',
    palette: 'lake',
  },
];

export const links: { title: string; link: string; description: string }[] = [
  { title: '维基文库', link: 'https://zh.wikisource.org/', description: '自由的图书馆' },
  { title: '古腾堡计划', link: 'https://www.gutenberg.org/', description: '公有领域的电子书' },
  { title: '开放获取期刊目录', link: 'https://doaj.org/', description: '可以自由阅读的期刊' },
];

export const recommendedWords = ['数据库', '合同', '绝句', '菜园', '急救'];

export const sameWords = [
  ['电脑', '计算机'],
  ['简历', '履历'],
  ['番茄', '西红柿'],
];
