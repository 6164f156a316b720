import type { DemoDocument } from '../demo-document.ts';

/** Computers, engineering and business. */
export const techArticles: DemoDocument[] = [
  {
    title: 'PostgreSQL 慢查询排查手册',
    ext: 'pdf',
    category: ['计算机', '数据库'],
    owner: 1,
    price: 5,
    daysAgo: 3,
    keywords: 'PostgreSQL,慢查询,索引',
    isRecommended: true,
    description: '从一条慢语句出发，六步找到原因，附常见病例。',
    content: {
      kind: 'article',
      cover: {
        lines: ['PostgreSQL', '慢查询排查'],
        subtitle: '六步，从现象到原因',
        author: '陆知行',
        design: 'band',
        palette: 'indigo',
      },
      body: `
# 一、先量，再改
打开 pg_stat_statements，按总时间排序。最慢的那一条不一定最贵，被调用一百万次的那一条往往才是。
# 二、看执行计划
EXPLAIN (ANALYZE, BUFFERS) 会告诉你实际行数和读了多少块。估计行数与实际行数相差十倍以上，先更新统计信息。
# 三、对症
| 现象 | 多半是 | 先试
| Seq Scan，行数很多 | 缺索引或条件用了函数 | 建表达式索引
| Nested Loop，内层循环上万次 | 估计错了 | ANALYZE，或提高统计目标
| Sort Method: external merge | 内存不够 | 调大 work_mem，或加索引省去排序
| 等待 Lock | 长事务 | 查 pg_stat_activity
# 四、索引不是越多越好
每个索引都让写入变慢。三个月没有被用过的索引，记下来，然后删掉。
# 五、分页的坑
OFFSET 一百万，数据库要数一百万行再扔掉。改用上一页最后一行的键接着取。
# 六、记下来
每一次排查写三行：现象、原因、改了什么。半年以后它会救你第二次。`,
    },
  },
  {
    title: '网络安全自查清单：小公司版',
    ext: 'docx',
    category: ['计算机', '网络与安全'],
    owner: 1,
    price: 0,
    daysAgo: 19,
    keywords: '网络安全,清单,小公司',
    description: '没有安全团队也能做完的三十项，按先后排好。',
    content: {
      kind: 'article',
      cover: {
        lines: ['网络安全', '自查清单'],
        subtitle: '小公司版 · 三十项',
        author: '陆知行',
        design: 'plain',
        palette: 'slate',
      },
      body: `
# 今天就能做
- 所有人开启两步登录，先从邮箱开始
- 离职的人当天停用账号
- 路由器改掉默认密码，关掉远程管理
# 这一周
- 列出所有对外开放的端口，关掉不认识的
- 重要数据做一次备份，再做一次恢复，恢复过的才算备份
- 共享文件夹按需要给权限，不给“所有人”
# 这一个月
- 服务器和路由器的系统更新到受支持的版本
- 给全员讲一次钓鱼邮件，用自己收到过的例子
- 写下出事时第一个电话打给谁
# 每季度
| 检查 | 谁 | 怎样算过
| 备份恢复 | 运维 | 一小时内恢复出昨天的数据
| 账号清理 | 人事 | 账号数等于在职人数
| 权限抽查 | 主管 | 抽三个文件夹，没有多余的人`,
    },
  },
  {
    title: '前端性能：把首屏做到一秒',
    ext: 'pptx',
    category: ['计算机', '前端开发'],
    owner: 1,
    price: 3,
    preview: 4,
    daysAgo: 11,
    keywords: '前端,性能,首屏',
    description: '内部分享：从一次真实的优化说起。',
    content: {
      kind: 'deck',
      cover: {
        lines: ['把首屏', '做到一秒'],
        subtitle: '一次真实的优化',
        author: '陆知行 · 内部分享',
        design: 'band',
        palette: 'lake',
      },
      body: `
# 起点
- 首屏四点二秒，脚本八百三十千字节
- 一半用户在手机上
# 钱花在哪里
| 环节 | 优化前 | 优化后
| 服务器 | 900 ms | 40 ms
| 样式 | 600 ms | 90 ms
| 脚本 | 2100 ms | 480 ms
| 图片 | 600 ms | 200 ms
# 做了四件事
- 服务器直接送出能看的页面
- 样式先到，脚本让路
- 图片给出宽高，只取看得见的
- 不常用的部分，用到再取
# 没有做的事
- 没有换框架
- 没有缓存一切
# 一句话
> 最快的代码，是没有送出去的代码。`,
    },
  },
  {
    title: '小团队的招聘流程：从需求到转正',
    ext: 'pdf',
    category: ['经济管理', '人力资源'],
    owner: 2,
    price: 2,
    daysAgo: 22,
    keywords: '招聘,面试,人力资源',
    description: '五个人的团队怎样招第六个，附面试记录表。',
    content: {
      kind: 'article',
      cover: {
        lines: ['小团队的', '招聘流程'],
        subtitle: '从需求到转正',
        author: '何小满 整理',
        design: 'side',
        palette: 'plum',
      },
      body: `
# 写需求
先写这个人来了以后三个月要做成什么，再写需要什么能力。写不出来，说明还不到招人的时候。
# 筛简历
只看两件事：做过相近的事吗；能把做过的事说清楚吗。学校和公司的名字放在最后看。
# 面试
- 第一轮：让候选人讲一件自己做成的事，追问三层
- 第二轮：一起解决一个真实的小问题，看怎样想，不看对错
- 第三轮：让候选人问我们
# 记录表
| 维度 | 看什么 | 一分 | 五分
| 思路 | 怎样拆问题 | 直接给答案 | 先问清目标
| 合作 | 意见不同的时候 | 坚持或放弃 | 说明理由再选择
| 负责 | 出错以后 | 找原因在外 | 说自己能改什么
# 试用
第一周交一件小事，第一个月谈一次，第三个月按当初写下的目标一起看。转正不是仪式，是双方再选一次。`,
    },
  },
  {
    title: '家装水电验收要点',
    ext: 'docx',
    category: ['工程技术', '建筑工程'],
    owner: 1,
    price: 1,
    daysAgo: 33,
    keywords: '家装,水电,验收',
    description: '封墙之前必须看的二十处，拿着手机照着走一遍。',
    content: {
      kind: 'article',
      cover: {
        lines: ['家装水电', '验收要点'],
        subtitle: '封墙之前，走一遍',
        author: '陆知行',
        design: 'official',
        palette: 'lake',
      },
      body: `
# 水
- 打压试验：八公斤压力，三十分钟下降不超过零点五公斤
- 冷热水管间距不小于十五厘米，左热右冷
- 卫生间防水做到一米八，闭水四十八小时，到楼下看一眼
# 电
- 强电弱电间距三十厘米，交叉处包锡箔
- 空调、厨房、卫生间单独回路
- 每根线管里的电线不超过管径四成，抽一根能抽动
# 拍照
每面墙拍两张：一张正面，一张带卷尺。以后打孔，先翻照片。
# 签字前
| 项目 | 合格 | 备注
| 打压 | 是　否 | 压力表拍照
| 闭水 | 是　否 | 时间写清
| 回路 | 是　否 | 逐个合闸试
| 照片 | 是　否 | 交一份给业主`,
    },
  },
  {
    title: '看懂三张财务报表',
    ext: 'pptx',
    category: ['经济管理', '财务会计'],
    owner: 2,
    price: 4,
    daysAgo: 28,
    keywords: '财务报表,会计,入门',
    description: '用一家奶茶店讲清资产、利润和现金。',
    content: {
      kind: 'deck',
      cover: {
        lines: ['看懂三张', '财务报表'],
        subtitle: '从一家奶茶店开始',
        author: '何小满',
        design: 'field',
        palette: 'cinnabar',
      },
      body: `
# 一家店，三个问题
- 现在有多少家底？资产负债表
- 这个月赚了没有？利润表
- 钱还够不够用？现金流量表
# 家底
| 项目 | 金额（元）
| 设备 | 80,000
| 原料 | 12,000
| 现金 | 28,000
| 借款 | 50,000
| 自己的 | 70,000
# 赚了没有
- 卖了六万，原料一万八，房租一万二，人工一万五
- 设备每月摊一千五
- 剩下一万三千五
# 有钱和赚钱是两回事
- 外卖平台压着两周的款
- 年付的房租这个月一次付清
- 利润是正的，口袋是空的
# 记住三句话
- 利润是意见，现金是事实
- 资产等于负债加自己的
- 看趋势，不看一个月`,
    },
  },
];
