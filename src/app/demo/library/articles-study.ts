import type { DemoDocument } from '../demo-document.ts';
import { poemPages } from './poems.ts';

/** Reading for pupils, students and whoever likes to read. */
export const studyArticles: DemoDocument[] = [
  {
    title: '唐人绝句六十首',
    ext: 'pdf',
    category: ['人文社科', '文学'],
    owner: 0,
    price: 0,
    daysAgo: 58,
    keywords: '唐诗,绝句,李白,王维,杜牧',
    isRecommended: true,
    description: '六十首唐人绝句，一首一页，大字排印，适合慢慢翻读和抄写。',
    content: {
      kind: 'article',
      layout: 'poems',
      cover: {
        lines: ['唐人绝句', '六十首'],
        subtitle: '一首一页',
        author: '沈砚秋 选编',
        design: 'field',
        palette: 'cinnabar',
      },
      body: poemPages,
    },
  },
  {
    title: '二十四节气与农事',
    ext: 'pdf',
    category: ['人文社科', '历史'],
    owner: 0,
    price: 2,
    daysAgo: 20,
    keywords: '节气,农历,物候,农事',
    isRecommended: true,
    description: '节气怎样来，古人怎样用，田里此时在忙什么。附全年节气表。',
    content: {
      kind: 'article',
      cover: {
        lines: ['二十四节气', '与农事'],
        subtitle: '一份给城里人的说明',
        author: '沈砚秋',
        design: 'sun',
        palette: 'ochre',
      },
      body: `
# 节气是阳历
很多人以为节气属于农历，其实它按太阳走。把太阳在黄道上一年的路程分成二十四段，每段十五度，走到一个分点就是一个节气，所以每年的日期几乎不变，前后不过一两天。
农历的月按月亮圆缺，一年比太阳年短十一天左右，需要闰月来补。节气就是用来决定在哪里置闰的：没有中气的月，便作闰月。
# 四时八节
最早定下来的是二分二至。圭表上日影最长的一天是冬至，最短的一天是夏至；昼夜等长的两天是春分和秋分。再加上四立，便成八节。其余十六个，到汉代《淮南子》里才完整出现。
> 清明前后，种瓜点豆。——这样的话，是几百年试错之后留下的答案。
# 全年一览
| 节气 | 大约日期 | 物候 | 田里的事
| 立春 | 2 月 4 日 | 东风解冻 | 修农具，送粪肥
| 惊蛰 | 3 月 6 日 | 桃始华 | 春耕开始
| 清明 | 4 月 5 日 | 桐始华 | 种瓜点豆
| 谷雨 | 4 月 20 日 | 萍始生 | 插秧，采茶
| 芒种 | 6 月 6 日 | 螳螂生 | 收麦，种稻
| 夏至 | 6 月 21 日 | 蝉始鸣 | 除草，防涝
| 大暑 | 7 月 23 日 | 腐草为萤 | 双抢
| 立秋 | 8 月 8 日 | 凉风至 | 晒秋
| 白露 | 9 月 8 日 | 鸿雁来 | 收棉花
| 寒露 | 10 月 8 日 | 菊有黄华 | 种冬麦
| 霜降 | 10 月 23 日 | 草木黄落 | 收红薯
| 冬至 | 12 月 22 日 | 蚯蚓结 | 积肥，歇冬
# 今天还有什么用
种大棚的人不再看节气下种，但天气预报、果树管理和病虫测报仍然以它为坐标。对城里人来说，它更像一种提醒：一年不是从一月一日跳到十二月三十一日，中间有风，有花，有虫鸣，有霜。`,
    },
  },
  {
    title: '高等数学：极限与连续复习提纲',
    ext: 'docx',
    category: ['教育考试', '高等教育'],
    owner: 2,
    price: 2,
    daysAgo: 16,
    keywords: '高等数学,极限,连续,复习',
    description: '定义、常用结论、典型错误各一节，考前两小时读完。',
    content: {
      kind: 'article',
      cover: {
        lines: ['极限与连续'],
        subtitle: '高等数学复习提纲 · 第一讲',
        author: '何小满 整理',
        design: 'band',
        palette: 'indigo',
      },
      body: `
# 一、定义要会说
函数 f(x) 当 x→a 时以 A 为极限，是说：无论给出多小的正数 ε，总能找到正数 δ，使得只要 0＜|x−a|＜δ，就有 |f(x)−A|＜ε。注意 x 不等于 a，极限和 f(a) 是多少、有没有定义都无关。
# 二、常用结论
| 极限 | 值 | 条件
| sin x / x | 1 | x→0
| (1+x)^(1/x) | e | x→0
| (1−cos x)/x² | 1/2 | x→0
| ln(1+x)/x | 1 | x→0
| n^(1/n) | 1 | n→∞
# 三、三种方法
- 等价代换：只能用在乘除的因子上，加减中代换要看阶数够不够。
- 夹逼：两边极限相同且都存在，中间才有结论。
- 洛必达：先检查是不是 0/0 或 ∞/∞，再求导；求导后极限不存在，不能说原极限不存在。
# 四、最常见的错误
把“趋于零”当成“等于零”；分段函数在分界点不分左右；用数列的结论直接套函数。做题时每写一个等号，问一句：这一步的条件满足了吗？
# 五、连续与间断
连续有三层意思：有定义，有极限，两者相等。少了哪一层，就是哪一类间断点。闭区间上的连续函数有最大值和最小值，这一条在证明题里最常用到。`,
    },
  },
  {
    title: '考研英语作文：十个可以活用的段落',
    ext: 'docx',
    category: ['教育考试', '考研'],
    owner: 2,
    price: 5,
    daysAgo: 6,
    keywords: '考研,英语,作文',
    description: '不背模板：把描述、原因、建议三种段落各写几遍，考场上再拆开用。',
    content: {
      kind: 'article',
      cover: {
        lines: ['考研英语', '作文'],
        subtitle: '十个可以活用的段落',
        author: '何小满',
        design: 'field',
        palette: 'plum',
      },
      body: `
# 为什么不背模板
阅卷人一天读几百篇，模板一眼就能认出来。与其背整篇，不如把一段话写到自己能改写：换主语，换例子，换语气，意思不变。
# 描述图画
> The picture shows an old man teaching his grandson to plant a tree, while a line of withered trunks stands behind them.
先写看见的，再写看不见的。用现在时，人物加动作，最后半句留给背景。
# 说明原因
> What lies behind this change is not a lack of time but a lack of attention.
“不是……而是……”是最省力的句型，比三个 because 更清楚。
# 提出建议
> Schools can begin with something small: one hour a week without screens.
建议要小、要具体、要有人去做。写 We should all pay attention to 等于没有写。
# 练习方法
- 每天写一段，六十个词以内，限时八分钟。
- 第二天改一遍，只改动词和名词。
- 第七天不看原文重写，再和原文对照。`,
    },
  },
  {
    title: '读《论语》札记：关于“学”',
    ext: 'rtf',
    category: ['人文社科', '哲学'],
    owner: 0,
    price: 0,
    daysAgo: 37,
    keywords: '论语,读书札记,学习',
    description: '“学而时习之”的“习”是什么意思？从一个字读起。',
    content: {
      kind: 'article',
      cover: {
        lines: ['读《论语》', '札记'],
        subtitle: '关于“学”',
        author: '沈砚秋',
        design: 'plain',
        palette: 'ochre',
      },
      body: `
# 从一个字读起
> 学而时习之，不亦说乎。
“习”的繁体上面是羽，下面是白，许慎说是“数飞也”，小鸟一遍一遍试着飞。所以这里的习不是复习，是练。学了以后去做，做着做着会了，那种高兴才叫“说”。
# 学什么
《论语》里说到学，很少指书本。“贤贤易色，事父母能竭其力，事君能致其身，与朋友交言而有信，虽曰未学，吾必谓之学矣。”子夏的意思很明白：会做人，就算学过了。
# 怎样学
- 学而不思则罔，思而不学则殆：两样缺一样都危险。
- 不愤不启，不悱不发：先自己憋一阵，再来问。
- 三人行，必有我师焉：好的照着做，不好的拿来对照自己。
# 余话
今天的人学得很多，习得很少。收藏夹里存了几百篇文章，没有一篇变成自己的动作。读到“时习”两个字，不免惭愧。`,
    },
  },
  {
    title: '开源许可证怎样选：一张表和五个问题',
    ext: 'odt',
    category: ['计算机', '编程语言'],
    owner: 1,
    price: 0,
    daysAgo: 23,
    keywords: '开源,许可证,MIT,GPL',
    description: 'MIT、Apache、GPL、MPL 的区别，以及选之前要回答的五个问题。',
    content: {
      kind: 'article',
      cover: {
        lines: ['开源许可证', '怎样选'],
        subtitle: '一张表和五个问题',
        author: '陆知行',
        design: 'band',
        palette: 'lake',
      },
      body: `
# 先看一张表
| 许可证 | 可闭源 | 须公开修改 | 专利条款
| MIT | 可以 | 不需要 | 没有
| Apache-2.0 | 可以 | 不需要 | 有
| MPL-2.0 | 部分 | 改过的文件 | 有
| GPL-3.0 | 不可以 | 全部 | 有
| AGPL-3.0 | 不可以 | 含网络服务 | 有
# 五个问题
- 别人能不能把它放进不公开的产品里？
- 别人改了，要不要还回来？
- 只在服务器上运行、不分发，算不算使用？
- 你担心专利诉讼吗？
- 你的依赖里有没有更严格的许可证？
# 一个常见的误解
不写许可证，不等于随便用，而是等于谁都不能用。著作权自作品完成就产生，没有许可便是保留一切权利。所以哪怕只是一段小脚本，也请放一个许可证文件。`,
    },
  },
];
