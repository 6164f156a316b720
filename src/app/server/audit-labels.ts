import type { AuditLabels } from '#modules/audit/label-audit-changes.ts';
import { bannerTypes } from '#modules/banner/banner.contract.ts';
import { documentStatuses, documentVisibilities } from '#modules/document/document.contract.ts';
import { permissionCatalogue } from '#modules/role/permission-catalogue.ts';
import { findSetting } from '#modules/settings/settings.catalogue.ts';
import { type InheritableWatermarkMode, inheritableWatermarkModes } from '#modules/settings/watermark-mode.contract.ts';
import { formatSize } from '#platform/contract/file-size.ts';

const COMMON_LABELS: Record<string, string> = {
  id: '编号',
  title: '名称',
  titles: '名称',
  description: '描述',
  sort: '排序',
  enable: '是否启用',
  path: '地址',
  size: '大小',
  link: '链接',
  url: '链接',
  icon: '图标',
  cover: '封面',
  note: '说明',
  role: '角色',
  roles: '角色',
  username: '用户名',
  password: '密码',
  name: '名称',
  status: '状态',
  reason: '原因',
  user_id: '用户编号',
  total: '条数',
  wd: '关键字',
};

const LABELS_BY_KIND: Record<string, Record<string, string>> = {
  分类: { parent_id: '上级分类', doc_count: '文档数', enable_ocr: '识别扫描页的文字', watermark: '阅读水印' },
  单页: {
    title: '标题',
    identifier: '标识',
    author: '作者',
    keywords: '关键字',
    description: '摘要',
    content: '内容',
    view_count: '浏览数',
  },
  横幅: { path: '图片', type: '类型', description: '备注' },
  角色: {
    color: '颜色',
    is_default: '默认角色',
    is_display: '是否展示',
    is_super: '超级管理员',
    user_count: '用户数',
    enable_upload: '允许上传文档',
    enable_document_review: '上传的文档需要审核',
    enable_comment: '允许评论',
    enable_comment_approval: '评论需要审核',
    enable_download: '允许下载',
    max_preview: '可阅读页数',
  },
  权限: { method: '请求方式', path: '路径' },
  用户: {
    email: '联系邮箱',
    realname: '真实姓名',
    identity: '身份证号',
    mobile: '联系电话',
    address: '联系地址',
    signature: '个性签名',
    credit_count: '积分',
    is_banned: '是否禁用',
    ban_reason: '禁用原因',
    banned_until: '禁用到',
  },
  文档: {
    keywords: '关键字',
    description: '摘要',
    price: '售价',
    preview: '可预览页数',
    language: '语言',
    visibility: '可见范围',
    watermark: '阅读水印',
    category_id: '分类编号',
    into: '合并到',
    recommend: '推荐',
    reject_reason: '拒绝原因',
    reconverted: '重新转换的文档数',
    restored: '恢复的文档数',
  },
  回收站: { erased: '清除的文档数', rest: '其余文档' },
  评论: { content: '内容' },
  举报: { remark: '答复', action: '处理方式' },
  附件: { hash: '内容摘要', enable: '是否合法', ext: '扩展名', type: '类型' },
  同义词: { words: '词语' },
  搜索记录: { keywords: '搜索词' },
  文字识别: { requeued: '重新识别的文件数' },
  搜索索引: { documents: '文档数' },
  备份: { rows: '数据行数', files: '文件数', size: '大小' },
};

const permissionTitles = new Map(permissionCatalogue.map(({ name, title }) => [name, title]));

function settingLabel(key: string): string | undefined {
  const [category = '', name = ''] = key.split('.');
  return findSetting(category, name)?.setting.label;
}

/** Labels of the audit log. They belong to the app because they cover all modules. */
export const auditLabels: AuditLabels = {
  labelOf: (kind, field) =>
    LABELS_BY_KIND[kind]?.[field] ??
    COMMON_LABELS[field] ??
    (kind === '配置' ? settingLabel(field) : permissionTitles.get(field)),
  meaningOf: (kind, field, value) => {
    if (kind === '横幅' && field === 'type') return bannerTypes[value as keyof typeof bannerTypes];
    if (kind === '文档' && field === 'status') return documentStatuses[value as keyof typeof documentStatuses];
    if (kind === '文档' && field === 'visibility')
      return documentVisibilities[value as keyof typeof documentVisibilities];
    if (field === 'watermark') return inheritableWatermarkModes[value as InheritableWatermarkMode];
    if (field === 'parent_id') return value ? `第 ${value} 号分类` : '顶级分类';
    if (field === 'size' && typeof value === 'number') return formatSize(value);
  },
};
