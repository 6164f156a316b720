import { groupExtensions } from '#platform/contract/extension-groups.ts';
import { fileTypeExtensions } from '#platform/contract/file-type.ts';
import { validateAnalyticsSnippet } from './analytics-snippet.ts';
import { checkEmail, checkHost, checkLink, checkTimeZone, checkWebAddress, checkYear } from './setting-checks.ts';
import type { Setting } from './setting-kinds.ts';
import {
  imageSetting,
  multiSelectSetting,
  numberSetting,
  secretSetting,
  selectSetting,
  textAreaSetting,
  textLineSetting,
  toggleSetting,
  wordLinesSetting,
  wordListSetting,
} from './setting-kinds.ts';
import { settingGroups } from './settings.contract.ts';
import { watermarkModes } from './watermark-mode.contract.ts';

const DAY_SECONDS = 86_400;
const MAX_COUNT = 1_000_000;

/** Options of the setting: extensions with their dot; the form shows them in the groups before the slash. */
export const documentExtensionOptions: Readonly<Record<string, string>> = Object.fromEntries(
  groupExtensions(fileTypeExtensions.map((extension) => `.${extension}`)).flatMap(({ name, extensions }) =>
    extensions.map((extension) => [extension, `${name}/${extension}`]),
  ),
);

/** All settings. Where a default contains the default site name, loadSettings replaces it by the current name. */
export const settingsCatalogue = {
  system: {
    sitename: textLineSetting('网站名称', '豆库', { max: 64, required: true }),
    domain: textLineSetting('网站域名', '', { hint: '如 https://www.example.com', check: checkWebAddress }),
    title: textLineSetting('首页标题', '豆库 · 让知识流动起来'),
    keywords: textLineSetting('网站关键字', '豆库,文库,文档分享,在线阅读,资料下载'),
    description: textAreaSetting('网站描述', '豆库是一座开放的在线文库：分享文档，在线阅读，按分类浏览，一搜即得。', {
      max: 1000,
    }),
    recommend_words: wordListSetting('首页搜索推荐词', '多个词以逗号分隔'),
    logo: imageSetting('网站Logo', '建议高度 80 像素以上的透明 PNG 图片'),
    favicon: imageSetting('网站Favicon', '建议 128×128 像素的 PNG 图片'),
    register_background: imageSetting('注册页背景图'),
    login_background: imageSetting('登录页背景图'),
    icp: textLineSetting('网站备案号', '', { hint: '显示在页面底部，链接到工信部备案网站' }),
    sec_icp: textLineSetting('公网安备', '', { hint: '公安机关备案号' }),
    copyright_start_year: textLineSetting('版权起始年', '', {
      hint: '如 2020，留空只显示当前年份',
      check: checkYear,
    }),
    analytics: textAreaSetting('网站统计代码', '', {
      hint: '粘贴统计服务给出的 script 标签或 JavaScript 代码，它在与页面隔离的框架中运行，其他标签不会运行；修改时需要输入您的登录密码',
      check: validateAnalyticsSnippet,
    }),
    timezone: textLineSetting('网站时区', 'Asia/Shanghai', {
      hint: '决定签到、每日次数从何时算新的一天',
      check: checkTimeZone,
      required: true,
    }),
  },
  footer: {
    about: textLineSetting('关于我们', '/article/about', { hint: '链接地址，留空则不显示', check: checkLink }),
    help: textLineSetting('使用帮助', '/article/help', { hint: '链接地址，留空则不显示', check: checkLink }),
    contact: textLineSetting('联系我们', '/article/contact', { hint: '链接地址，留空则不显示', check: checkLink }),
    agreement: textLineSetting('文库协议', '/article/agreement', {
      hint: '链接地址，留空则不显示',
      check: checkLink,
    }),
    copyright: textLineSetting('免责声明', '/article/copyright', {
      hint: '链接地址，留空则不显示',
      check: checkLink,
    }),
    feedback: textLineSetting('意见反馈', '/article/feedback', {
      hint: '链接地址，留空则不显示',
      check: checkLink,
    }),
  },
  captcha: {
    height: numberSetting('验证码高度', 60, { min: 30, max: 200, hint: '像素' }),
    width: numberSetting('验证码宽度', 240, { min: 80, max: 600, hint: '像素' }),
    length: numberSetting('验证码长度', 5, { min: 3, max: 10, hint: '字符个数' }),
    type: selectSetting('验证码类型', 'digit', { digit: '数字', math: '算术', string: '字符串' }),
  },
  security: {
    max_document_size: numberSetting('最大文档大小', 50, { min: 1, max: 10_240, hint: '单位 MB' }),
    max_open_upload_size: numberSetting('每人未完成上传的总大小', 2_048, {
      max: 10_485_760,
      hint: '单位 MB，0 为不限制；小于最大文档大小时，按最大文档大小计算',
    }),
    max_user_storage: numberSetting('每人上传文件的总大小', 20_480, {
      max: 10_485_760,
      hint: '单位 MB，含文档和图片，同样的文件只算一次，0 为不限制；不限制第一个管理员',
    }),
    login_limit_address: numberSetting('每个地址登录失败次数', 20, {
      min: 1,
      max: MAX_COUNT,
      hint: '15 分钟内，超过后须等待',
    }),
    login_limit_account: numberSetting('每个地址对同一账户登录失败次数', 10, {
      min: 1,
      max: MAX_COUNT,
      hint: '15 分钟内，超过后须等待',
    }),
    register_limit_address: numberSetting('每个地址注册次数', 30, { min: 1, max: MAX_COUNT, hint: '一小时内' }),
    reset_limit_address: numberSetting('每个地址找回密码次数', 10, {
      min: 1,
      max: MAX_COUNT,
      hint: '15 分钟内',
    }),
    comment_interval: numberSetting('评论时间间隔', 10, { max: DAY_SECONDS, hint: '单位秒，0 为不限制' }),
    comment_edit_minutes: numberSetting('评论可修改的时长', 10, {
      max: 1440,
      hint: '单位分钟，发表后在此时间内可修改；0 为不能修改',
    }),
    sensitive_words: wordLinesSetting('敏感词', '每行一个；忽略大小写、空格和标点'),
    sensitive_action: selectSetting('评论含敏感词时', 'review', {
      review: '转为待审核',
      refuse: '拒绝发表',
    }),
    document_related_duration: numberSetting('相关文档有效期', 7, {
      max: 365,
      hint: '0 为不显示相关文档；其余值都显示，相关文档总按最新内容计算，不会过期',
    }),
    document_allowed_ext: multiSelectSetting(
      '允许上传的文档类型',
      documentExtensionOptions,
      '不选则允许全部支持的类型',
    ),
    recycle_days: numberSetting('回收站文档保留天数', 30, {
      max: 3650,
      hint: '到期自动清除，期限内用户可恢复自己删除的文档；0 为一直保留',
    }),
    attachment_retention_minute: numberSetting('已清除文档的文件保留时长', 1440, {
      max: 525_600,
      hint: '单位分钟，0 为立即删除',
    }),
    search_record_retention_days: numberSetting('搜索记录保留天数', 7, { max: 3650, hint: '0 为不记录' }),
    watermark: selectSetting('阅读水印', 'off', watermarkModes, '在页面上显示读者的名称和日期；分类和文档可以另行设置'),
    watermark_template: textLineSetting('水印文字', '{name} {id} {date}', {
      max: 100,
      required: true,
      hint: '{name} 为用户名，{id} 为用户编号（游客为地址末尾），{date} 为日期',
    }),
    is_close: toggleSetting('是否关闭网站', false, '关闭后只有管理员可以访问'),
    close_statement: textAreaSetting('闭站说明', '网站正在维护，请稍后再来。', {
      max: 5000,
      hint: '关闭网站时显示的文字',
    }),
    enable_register: toggleSetting('是否允许注册', true),
    login_required: toggleSetting('是否登录才能访问', false),
    enable_captcha_login: toggleSetting('是否开启登录验证码', true),
    enable_captcha_register: toggleSetting('是否开启注册验证码', true),
    enable_captcha_comment: toggleSetting('是否开启评论验证码', true),
    enable_captcha_find_password: toggleSetting('是否开启找回密码验证码', true),
    enable_verify_register_email: toggleSetting(
      '是否开启注册邮箱验证',
      false,
      '注册时需填写寄到邮箱的验证码；请先在邮箱配置里启用邮件服务',
    ),
  },
  converter: {
    max_preview: numberSetting('最大预览页数', 0, { max: MAX_COUNT, hint: '0 为不限制' }),
    max_preview_percent: numberSetting('最大预览页数百分比', 100, {
      max: 100,
      hint: '与最大预览页数取较小者，0 或 100 为不限制',
    }),
    timeout: numberSetting('转换超时', 3, {
      min: 1,
      max: 120,
      hint: '单位分钟，转换程序处理一份文档最多使用的处理器时间，不计排队和等待；机器较慢时可以调大',
    }),
    enable_convert_repeated_document: toggleSetting(
      '是否转换重复文档',
      false,
      '再次上传已转换好的文件时重新转换；转换期间仍可阅读原有页面',
    ),
    enable_ocr: toggleSetting('是否识别扫描页的文字', true, '识别后可以搜索和复制；空闲时进行，可以在分类中单独关闭'),
    ocr_engine: selectSetting('文字识别引擎', 'paddle', {
      paddle: 'PP-OCR：准确，每页约 5 秒处理器时间、1 GB 内存',
      tesseract: 'Tesseract：省内存，错字较多',
    }),
    ocr_pages_per_day: numberSetting('每天识别的页数', 0, { max: MAX_COUNT, hint: '0 为不限制' }),
  },
  download: {
    enable_guest_download: toggleSetting('是否允许游客下载', false),
    free_download_duration: numberSetting('购买后免费重复下载的天数', 0, {
      max: 36_500,
      hint: '0 为永久免费',
    }),
    url_duration: numberSetting('下载链接有效时长', 60, { min: 1, max: DAY_SECONDS, hint: '单位秒' }),
    times_every_day: numberSetting('登录用户每天下载次数', 10, { max: MAX_COUNT, hint: '0 为不允许下载' }),
    times_every_ip: numberSetting('每个 IP 每天下载次数', 10, { max: MAX_COUNT, hint: '0 为不允许下载' }),
  },
  score: {
    credit_name: textLineSetting('积分名称', '豆', { max: 16, required: true }),
    register: numberSetting('注册奖励', 10, { max: MAX_COUNT }),
    sign_in: numberSetting('签到奖励', 1, { max: MAX_COUNT }),
    delete_document: numberSetting('删除文档扣除', 1, { max: MAX_COUNT }),
    upload_document: numberSetting('上传文档奖励', 5, { max: MAX_COUNT, hint: '文档转换完成后发放' }),
    upload_document_limit: numberSetting('每日上传文档奖励次数', 1, { max: MAX_COUNT, hint: '0 为不奖励' }),
    document_collected: numberSetting('文档被收藏奖励', 1, { max: MAX_COUNT }),
    document_collected_limit: numberSetting('每日文档被收藏奖励次数', 1, {
      max: MAX_COUNT,
      hint: '0 为不奖励',
    }),
    document_commented: numberSetting('文档被评论奖励', 1, { max: MAX_COUNT }),
    document_commented_limit: numberSetting('每日文档被评论奖励次数', 1, {
      max: MAX_COUNT,
      hint: '0 为不奖励',
    }),
  },
  email: {
    enable: toggleSetting('是否启用邮件服务', false),
    host: textLineSetting('SMTP 服务器地址', '', { check: checkHost }),
    port: numberSetting('SMTP 端口', 465, { min: 1, max: 65_535 }),
    is_tls: toggleSetting('是否启用 TLS', true),
    from_name: textLineSetting('发件人名称', '', { max: 64 }),
    username: textLineSetting('SMTP 账号'),
    password: secretSetting('SMTP 密码'),
    duration: numberSetting('邮件有效期', 30, { min: 1, max: 60, hint: '单位分钟' }),
    test_email: textLineSetting('测试邮箱', '', { hint: '接收测试邮件的地址', check: checkEmail }),
  },
  display: {
    show_document_count: toggleSetting('是否显示文档数量', true),
    show_document_download_count: toggleSetting('是否显示文档下载次数', true),
    show_document_view_count: toggleSetting('是否显示文档浏览次数', true),
    show_document_favorite_count: toggleSetting('是否显示文档收藏次数', true),
    show_register_user_count: toggleSetting('是否显示注册用户数', true),
    virtual_register_count: numberSetting('虚拟注册用户数', 0, {
      max: MAX_COUNT,
      hint: '加到显示的注册用户数上',
    }),
    show_document_descriptions: toggleSetting('是否显示文档描述', true, '在列表里和文档页上'),
    show_index_categories: toggleSetting('是否在首页显示分类', true),
    index_document_style: selectSetting(
      '首页文档样式',
      'card',
      { card: '卡片', list: '列表' },
      '最新推荐和最新文档显示封面，或只列标题',
    ),
    home_version: selectSetting(
      '首页版式',
      'v1',
      { v1: '推荐在前', v2: '分类在前' },
      '横幅之下先显示推荐的文档，或先显示各分类的文档',
    ),
    pages_per_read: numberSetting('每次继续阅读的页数', 5, {
      min: 1,
      max: 50,
      hint: '阅读时一次取的页数，也是浏览器不运行脚本时每段的页数',
    }),
    max_search_pages: numberSetting('搜索结果最大页数', 100, { max: 10_000, hint: '0 为不限制' }),
    copyright_statement: textAreaSetting('版权声明', '', { max: 5000, hint: '显示在页面底部的文字' }),
    hide_keywords_on_lists: toggleSetting('是否在列表隐藏关键字', false, '不显示分类页右侧的关键词'),
    hide_category_without_document: toggleSetting('是否隐藏没有文档的分类', false),
    wechat_tip: textLineSetting('微信提示', '', { hint: '显示在页面底部二维码旁的文字' }),
    wechat_qrcode: imageSetting('微信二维码', '显示在页面底部'),
    contact_tip: textLineSetting('联系提示', '', { hint: '显示在页面底部，点击打开联系链接' }),
    contact_link: textLineSetting('联系链接', '', { hint: '填写后显示在页面底部', check: checkLink }),
  },
} as const satisfies Record<keyof typeof settingGroups, Record<string, Setting>>;

type SettingsCatalogue = typeof settingsCatalogue;
/** All settings with their types: numbers are numbers, switches are booleans. */
export type Settings = {
  readonly [G in keyof SettingsCatalogue]: {
    readonly [K in keyof SettingsCatalogue[G]]: SettingsCatalogue[G][K] extends Setting<infer T> ? T : never;
  };
};

export type CataloguedSetting = { category: string; name: string; setting: Setting };

/** All settings in the order of the back-office. */
export const allSettings: readonly CataloguedSetting[] = Object.keys(settingGroups).flatMap((category) =>
  Object.entries(settingsCatalogue[category as keyof SettingsCatalogue]).map(([name, setting]) => ({
    category,
    name,
    setting: setting as Setting,
  })),
);

const byKey = new Map(allSettings.map((each) => [`${each.category}.${each.name}`, each]));
export const findSetting = (category: string, name: string): CataloguedSetting | undefined =>
  byKey.get(`${category}.${name}`);
