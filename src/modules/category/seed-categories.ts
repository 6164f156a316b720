import { notifyInvalidation } from '#platform/server/cache/live-cache.ts';
import type { Context } from '#platform/server/context.ts';
import { seedOnce } from '#platform/server/db/seed-once.ts';
import { categories } from './category.table.ts';
import { CATEGORIES_CACHE_KEY } from './category.ts';

const DEFAULT_CATEGORIES: Record<string, string[]> = {
  教育考试: ['中小学', '高等教育', '考研', '公务员考试', '职业资格', '外语学习'],
  学术论文: ['期刊论文', '学位论文', '会议论文', '研究报告'],
  计算机: ['编程语言', '前端开发', '数据库', '人工智能', '网络与安全', '运维与云计算'],
  经济管理: ['企业管理', '财务会计', '市场营销', '人力资源', '投资理财'],
  办公文书: ['公文写作', '工作总结', '合同范本', '演示模板', '表格模板'],
  工程技术: ['机械制造', '电子电气', '建筑工程', '能源环保', '标准规范'],
  人文社科: ['文学', '历史', '哲学', '法律', '艺术', '心理'],
  医学健康: ['临床医学', '中医中药', '护理', '药学', '养生保健'],
};

export const seedCategories = (ctx: Context): Promise<void> =>
  seedOnce(ctx, 'categories', async (ctx) => {
    const [existingCategory] = await ctx.db.select({ id: categories.id }).from(categories).limit(1);
    if (existingCategory) return;
    const roots = Object.entries(DEFAULT_CATEGORIES);
    for (const [at, [title, children]] of roots.entries()) {
      const sort = roots.length - at;
      const [parent] = await ctx.db.insert(categories).values({ title, sort }).returning();
      if (parent)
        await ctx.db.insert(categories).values(
          children.map((child, at) => ({
            title: child,
            parent_id: parent.id,
            sort: children.length - at,
          })),
        );
    }
    await notifyInvalidation(ctx.db, CATEGORIES_CACHE_KEY);
  });
