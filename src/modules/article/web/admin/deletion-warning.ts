import type { PublicSettings } from '#modules/settings/settings.contract.ts';
import type { ArticleSummary } from '../../article.contract.ts';

const footerLabels: Record<keyof PublicSettings['footer'], string> = {
  about: '关于我们',
  help: '使用帮助',
  contact: '联系我们',
  feedback: '意见反馈',
  copyright: '免责声明',
  agreement: '文库协议',
};

/** Warns about links that break when articles are deleted; names the footer links among them. */
export function deletionWarning(
  footer: PublicSettings['footer'],
  articles: Pick<ArticleSummary, 'id' | 'identifier'>[],
  ids: number[],
): string {
  const paths = articles
    .filter(({ id }) => ids.includes(id))
    .flatMap(({ id, identifier }) => [`/article/${id}`, `/article/${identifier}`]);
  const labels = (Object.keys(footerLabels) as (keyof typeof footerLabels)[])
    .filter((name) => paths.includes(footer[name]))
    .map((name) => `“${footerLabels[name]}”`);
  if (labels.length === 0) return '指向它的链接会失效。';
  return `页脚的${labels.join('、')}链接指向它，删除后打不开；请先在系统设置的底链配置里修改。`;
}
