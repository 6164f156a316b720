/** What the demo people say of the documents, the first one first; answers come a few hours later. */
export type Talk = {
  title: string;
  /** Position among the demo users. */
  by: number;
  daysAgo: number;
  text: string;
  answers?: { by: number; text: string }[];
};

export const talks: Talk[] = [
  {
    title: 'PostgreSQL 慢查询排查手册',
    by: 4,
    daysAgo: 2,
    text: '第五节的分页坑我们上周刚踩过，改成按键取之后从八秒降到二十毫秒。',
    answers: [
      { by: 1, text: '这个差距很典型。记得给排序的列配上唯一的第二列，不然会漏行。' },
      { by: 4, text: '@陆知行 已经加了，多谢提醒。' },
    ],
  },
  {
    title: 'PostgreSQL 慢查询排查手册',
    by: 7,
    daysAgo: 1,
    text: '第三节的表可以直接打印出来贴在工位上。',
  },
  {
    title: '宋画里的留白',
    by: 5,
    daysAgo: 1,
    text: '看完又去翻了一遍《寒江独钓》，确实先看见的是冷。',
    answers: [{ by: 0, text: '站远两步再看，水纹会动。' }],
  },
  {
    title: '宋画里的留白',
    by: 6,
    daysAgo: 1,
    text: '最后一节可以当展厅里的导览词。',
  },
  {
    title: '家庭药箱整理指南',
    by: 8,
    daysAgo: 5,
    text: '照着清了一遍，找出四盒过期的，惭愧。',
    answers: [{ by: 3, text: '四盒不算多，我家那次是十一盒。' }],
  },
  {
    title: '家庭药箱整理指南',
    by: 9,
    daysAgo: 3,
    text: '请问儿童退热药的剂量表能补充吗？',
    answers: [
      { by: 3, text: '剂量要按体重算，说明书和医生的话比表可靠，所以没有写。' },
      { by: 9, text: '明白了，谢谢。' },
    ],
  },
  {
    title: '亲子共读书单：三到八岁一百本',
    by: 8,
    daysAgo: 3,
    text: '《青蛙和蟾蜍》我们已经读到第三遍，孩子要求蟾蜍用低一点的声音。',
  },
  {
    title: '亲子共读书单：三到八岁一百本',
    by: 5,
    daysAgo: 2,
    text: '希望加上按季节选的一页。',
    answers: [{ by: 2, text: '冬天那一页已经在写了。' }],
  },
  {
    title: '雨水花园设计导则',
    by: 6,
    daysAgo: 20,
    text: '面积估算的例子很清楚，我们小区照这个算的。',
  },
  {
    title: '注意力机制导读：从对齐到变换器',
    by: 7,
    daysAgo: 8,
    text: '没有公式也能讲明白代价，难得。',
    answers: [{ by: 1, text: '公式放在附录会更吓人，就没有放。' }],
  },
  {
    title: '老街的修表匠',
    by: 5,
    daysAgo: 30,
    text: '“对准了，就分不清谁是谁了”，这一句记了很久。',
  },
  {
    title: '老街的修表匠',
    by: 9,
    daysAgo: 12,
    text: '读完把家里的钟也拨慢了七分钟。',
  },
  {
    title: '唐人绝句六十首',
    by: 8,
    daysAgo: 6,
    text: '一首一页，正好每天早上读一首。',
  },
  {
    title: '致新来的图书管理员',
    by: 4,
    daysAgo: 15,
    text: '下雨天让没有伞的人多坐一会儿，这条我也要写在墙上。',
  },
  {
    title: '数据库索引：从目录到 B+ 树',
    by: 4,
    daysAgo: 9,
    text: '第六页的图比教材清楚。',
  },
  {
    title: '看懂三张财务报表',
    by: 6,
    daysAgo: 10,
    text: '利润是意见，现金是事实。收藏了。',
  },
  {
    title: '阳台菜园：十二种好养的菜',
    by: 5,
    daysAgo: 4,
    text: '朝北的阳台终于有救了，先从薄荷开始。',
    answers: [{ by: 3, text: '薄荷要单独一盆，它会把邻居挤走。' }],
  },
];

/** Still to be looked at by the administrator. */
export const waiting = { title: '网络安全自查清单：小公司版', by: 9, text: '加我领取完整版资料包' };

export const shelves = [
  {
    by: 4,
    title: '数据库',
    is_public: true,
    holds: ['PostgreSQL 慢查询排查手册', '数据库索引：从目录到 B+ 树', 'Git 日常用法备忘'],
  },
  {
    by: 5,
    title: '慢慢读',
    is_public: true,
    holds: ['宋画里的留白', '老街的修表匠', '敦煌的颜色', '唐人绝句六十首'],
  },
  {
    by: 8,
    title: '给孩子',
    is_public: false,
    holds: ['亲子共读书单：三到八岁一百本', '小学生作文：把一件事写清楚'],
  },
];

export const complaints = [
  { by: 6, title: '简约答辩模板', reason: 1, content: '最后一页像是广告。' },
  {
    by: 7,
    title: '开源许可证怎样选：一张表和五个问题',
    reason: 4,
    content: '第三问里有一个真实的公司名。',
  },
] as const;
