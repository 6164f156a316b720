import type { DemoDocument, DemoSheet } from '../demo-document.ts';
import { tableOf } from '../markup.ts';
import { elementRows, herbRows, statusRows } from './tables.ts';

/** Numbers that look random and are the same every time. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

const goods: [name: string, price: number][] = [
  ...([
    ['美式咖啡', 18],
    ['拿铁', 24],
    ['燕麦拿铁', 28],
    ['桂花乌龙', 22],
  ] as [string, number][]),
  ...([
    ['可颂', 16],
    ['肉桂卷', 19],
    ['火腿三明治', 26],
    ['巴斯克蛋糕', 32],
  ] as [string, number][]),
];
const shops = ['青石桥店', '大学路店', '滨江店', '火车站店'];

/** A quarter of sales of a made-up chain: every sale, then summaries. */
function sales(): DemoSheet[] {
  const roll = dice(20_250_701);
  const rows: (string | number)[][] = [['流水号', '日期', '时间', '门店', '商品', '单价', '数量', '金额', '支付方式']];
  const totals = new Map<string, number>();
  const add = (key: string, amount: number) => totals.set(key, (totals.get(key) ?? 0) + amount);
  for (let index = 0; index < 3_600; index++) {
    const day = new Date(Date.UTC(2025, 6, 1 + Math.floor(index / 40)));
    const date = day.toISOString().slice(0, 10);
    const [name, price] = goods[roll(goods.length)] ?? ['', 0];
    const shop = shops[roll(shops.length)] ?? '';
    const amount = 1 + roll(3);
    const time = `${String(8 + roll(13)).padStart(2, '0')}:${String(roll(60)).padStart(2, '0')}`;
    const paid = ['微信', '支付宝', '现金', '会员卡'][roll(4)] ?? '';
    rows.push([100_001 + index, date, time, shop, name, price, amount, price * amount, paid]);
    for (const key of [date.slice(0, 7), shop, name]) add(key, price * amount);
  }
  const summary = (head: string, keys: string[]) => [
    [head, '金额（元）'],
    ...keys.map((key) => [key, totals.get(key) ?? 0]),
  ];
  return [
    { name: '流水', rows, widths: [10, 12, 8, 12, 14, 8, 8, 10, 10] },
    { name: '按月', rows: summary('月份', ['2025-07', '2025-08', '2025-09']), widths: [14, 14] },
    { name: '按门店', rows: summary('门店', shops), widths: [14, 14] },
    {
      name: '按商品',
      rows: summary(
        '商品',
        goods.map(([name]) => name),
      ),
      widths: [14, 14],
    },
    { name: '说明', rows: [['本表为练习用的模拟数据，门店与金额均为虚构。']], widths: [50] },
  ];
}

function marks(): DemoSheet[] {
  const roll = dice(7);
  const names =
    '王子涵 李思远 张雨桐 刘浩然 陈一诺 杨可欣 赵梓轩 黄诗涵 周宇航 吴若曦 徐天佑 孙语嫣 马俊熙 朱晓彤 胡嘉树 郭心怡 何奕辰 林知夏 高铭泽 罗安然 郑书瑶 梁景行 谢雨霏 宋子墨'.split(
      ' ',
    );
  const rows = names.map((name, index) => {
    const scores = Array.from({ length: 4 }, () => 68 + roll(32));
    return [index + 1, name, ...scores, scores.reduce((sum, score) => sum + score, 0)];
  });
  return [
    {
      name: '期中',
      rows: [['学号', '姓名', '语文', '数学', '英语', '科学', '总分'], ...rows],
      widths: [6, 10, 8, 8, 8, 8, 8],
    },
  ];
}

const sheet = (name: string, source: string, widths: number[]) => (): DemoSheet[] => [
  { name, rows: tableOf(source), widths },
];

/** Tables of every kind. */
export const sheets: DemoDocument[] = [
  {
    title: '咖啡店三季度销售流水（模拟数据）',
    ext: 'xlsx',
    category: ['经济管理', '财务会计'],
    owner: 1,
    price: 4,
    daysAgo: 5,
    keywords: '销售,流水,数据透视,练习',
    isRecommended: true,
    description: '三千六百条模拟销售记录和四张汇总表，练习数据透视和图表用。',
    content: { kind: 'workbook', sheets: sales },
  },
  {
    title: '项目进度计划表',
    ext: 'xlsx',
    category: ['办公文书', '表格模板'],
    owner: 1,
    price: 2,
    daysAgo: 19,
    keywords: '项目管理,进度,模板',
    description: '一个小型网站项目的完整计划，改成自己的就能用。',
    content: {
      kind: 'workbook',
      sheets: sheet(
        '计划',
        `
| 编号 | 任务 | 负责人 | 开始 | 结束 | 进度
| 1 | 需求访谈 | 陈晨 | 3月3日 | 3月7日 | 100%
| 2 | 原型与确认 | 李维 | 3月10日 | 3月19日 | 100%
| 3 | 视觉设计 | 周敏 | 3月17日 | 3月28日 | 80%
| 4 | 数据库设计 | 王磊 | 3月20日 | 3月26日 | 100%
| 5 | 接口开发 | 王磊 | 3月27日 | 4月18日 | 45%
| 6 | 页面开发 | 赵倩 | 3月31日 | 4月25日 | 30%
| 7 | 联调 | 全体 | 4月21日 | 4月30日 | 0%
| 8 | 测试 | 孙悦 | 4月28日 | 5月9日 | 0%
| 9 | 内容录入 | 陈晨 | 5月6日 | 5月14日 | 0%
| 10 | 上线 | 王磊 | 5月15日 | 5月16日 | 0%
| 11 | 培训与交接 | 李维 | 5月19日 | 5月21日 | 0%`,
        [6, 16, 10, 10, 10, 8],
      ),
    },
  },
  {
    title: '家庭月度收支表',
    ext: 'xls',
    category: ['经济管理', '投资理财'],
    owner: 3,
    price: 0,
    daysAgo: 26,
    keywords: '家庭,收支,记账',
    description: '三口之家十二个月的收支示例，一眼看出钱花在哪里。',
    content: {
      kind: 'workbook',
      sheets: sheet(
        '收支',
        `
| 月份 | 收入 | 房贷 | 饮食 | 交通 | 教育 | 其他 | 结余
| 一月 | 16800 | 4200 | 2900 | 620 | 1500 | 3100 | 4480
| 二月 | 21500 | 4200 | 3800 | 950 | 800 | 5200 | 6550
| 三月 | 16800 | 4200 | 2600 | 580 | 2400 | 1300 | 5720
| 四月 | 16800 | 4200 | 2550 | 640 | 1500 | 1650 | 6260
| 五月 | 16800 | 4200 | 2700 | 880 | 1500 | 2400 | 5120
| 六月 | 18300 | 4200 | 2620 | 590 | 1500 | 1750 | 7640
| 七月 | 16800 | 4200 | 2880 | 1900 | 3200 | 2600 | 2020
| 八月 | 16800 | 4200 | 2910 | 760 | 3200 | 1500 | 4230
| 九月 | 16800 | 4200 | 2570 | 600 | 2900 | 1280 | 5250
| 十月 | 16800 | 4200 | 3100 | 1320 | 1500 | 2300 | 4380
| 十一月 | 16800 | 4200 | 2600 | 610 | 1500 | 2900 | 4990
| 十二月 | 24600 | 4200 | 3050 | 700 | 1500 | 3600 | 11550`,
        [8, 8, 8, 8, 8, 8, 8, 8],
      ),
    },
  },
  {
    title: '四年级二班期中成绩统计',
    ext: 'et',
    category: ['教育考试', '中小学'],
    owner: 2,
    price: 0,
    daysAgo: 17,
    keywords: '成绩,统计,小学',
    description: '虚构的一个班，二十四人四门课，用来练习排序和公式。',
    content: { kind: 'workbook', sheets: marks },
  },
  {
    title: '常用中药性味归经表',
    ext: 'ods',
    category: ['医学健康', '中医中药'],
    owner: 3,
    price: 3,
    daysAgo: 31,
    keywords: '中药,性味,归经',
    description: '三十味常用药，按功效分类，供学习查阅，不作用药依据。',
    content: { kind: 'workbook', sheets: sheet('药物', herbRows, [10, 8, 12, 14, 26]) },
  },
  {
    title: '化学元素表（前三十六号）',
    ext: 'csv',
    category: ['教育考试', '中小学'],
    owner: 2,
    price: 0,
    daysAgo: 57,
    keywords: '化学,元素,周期表',
    description: '序号、符号、名称、相对原子质量和类别，可导入任何表格软件。',
    content: { kind: 'workbook', sheets: sheet('元素', elementRows, [6, 6, 6, 10, 12]) },
  },
  {
    title: 'HTTP 状态码速查',
    ext: 'tsv',
    category: ['计算机', '网络与安全'],
    owner: 1,
    price: 0,
    daysAgo: 13,
    keywords: 'HTTP,状态码,网络',
    description: '三十个常见状态码的含义和应对，制表符分隔。',
    content: { kind: 'workbook', sheets: sheet('状态码', statusRows, [8, 22, 18, 30]) },
  },
];
