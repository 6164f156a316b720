import { describe, expect, it } from 'vitest';
import { scriptTags, validateAnalyticsSnippet } from './analytics-snippet.ts';
import { settingId } from './list-settings.ts';
import { InvalidSettingValue } from './setting-kinds.ts';
import { allSettings, findSetting, settingsCatalogue } from './settings.catalogue.ts';

const parse = (key: string, text: string) => {
  const [category = '', name = ''] = key.split('.');
  return findSetting(category, name)?.setting.parse(text);
};

describe('the catalogue of settings', () => {
  it('has every group', () => {
    expect(Object.keys(settingsCatalogue).toSorted()).toEqual(
      'captcha converter display download email footer score security system'.split(' '),
    );
  });

  it.each([
    [
      'system',
      'sitename domain title keywords description recommend_words logo favicon register_background login_background icp sec_icp copyright_start_year analytics',
    ],
    ['footer', 'about contact agreement copyright feedback'],
    [
      'security',
      'max_document_size comment_interval document_related_duration document_allowed_ext attachment_retention_minute search_record_retention_days is_close close_statement enable_register login_required enable_captcha_login enable_captcha_register enable_captcha_comment enable_captcha_find_password enable_verify_register_email',
    ],
    ['captcha', 'height width length type'],
    ['converter', 'max_preview max_preview_percent timeout enable_convert_repeated_document'],
    ['download', 'enable_guest_download free_download_duration url_duration times_every_day times_every_ip'],
    [
      'score',
      'credit_name register sign_in delete_document upload_document upload_document_limit document_collected document_collected_limit document_commented document_commented_limit',
    ],
    ['email', 'enable host port is_tls from_name username password duration test_email'],
    [
      'display',
      'show_document_count show_document_download_count show_document_view_count show_document_favorite_count show_register_user_count virtual_register_count show_document_descriptions show_index_categories index_document_style home_version pages_per_read max_search_pages copyright_statement hide_keywords_on_lists hide_category_without_document wechat_tip wechat_qrcode contact_tip contact_link',
    ],
  ])('has the keys of moredoc in the group %s: %s', (category, names) => {
    for (const name of names.split(' ')) expect(findSetting(category, name), `${category}.${name}`).toBeDefined();
  });

  it('has the amounts of moredoc as defaults of the group score', () => {
    const amounts = Object.entries(settingsCatalogue.score).map(([name, setting]) => [name, setting.default]);
    expect(Object.fromEntries(amounts)).toEqual({
      credit_name: '豆',
      register: 10,
      sign_in: 1,
      delete_document: 1,
      upload_document: 5,
      upload_document_limit: 1,
      document_collected: 1,
      document_collected_limit: 1,
      document_commented: 1,
      document_commented_limit: 1,
    });
  });

  it('has a valid default for every setting', () => {
    for (const { setting } of allSettings)
      expect(setting.parse(setting.format(setting.default))).toEqual(setting.default);
  });

  it('has a label and a unique id for every setting', () => {
    const ids = allSettings.map(({ category, name }) => settingId(category, name));
    expect(new Set(ids).size).toBe(allSettings.length);
    expect(allSettings.every(({ setting }) => setting.label.length > 1)).toBe(true);
  });

  it('has no default for secrets', () => {
    const secrets = allSettings.filter(({ setting }) => setting.secret);
    expect(secrets.map(({ category, name }) => `${category}.${name}`)).toEqual(['email.password']);
    expect(secrets.map(({ setting }) => setting.default)).toEqual(['']);
  });
});

describe('a setting value as text', () => {
  const picture = `/uploads/config/ab/ab${'0'.repeat(62)}.png`;
  it.each([
    ['system.sitename', ' 我的文库 ', '我的文库'],
    ['system.domain', 'https://docs.example.com', 'https://docs.example.com'],
    ['system.domain', '', ''],
    ['system.copyright_start_year', '2020', '2020'],
    ['system.recommend_words', '高考, 论文，合同,,高考', ['高考', '论文', '合同']],
    ['system.timezone', 'Europe/Berlin', 'Europe/Berlin'],
    ['system.logo', picture, picture],
    ['system.logo', '', ''],
    ['footer.about', '/article/about', '/article/about'],
    ['footer.about', 'https://example.com/about', 'https://example.com/about'],
    ['security.is_close', 'true', true],
    ['security.max_document_size', '100', 100],
    ['security.document_allowed_ext', '.pdf,.docx', ['.pdf', '.docx']],
    ['security.document_allowed_ext', '', []],
    ['captcha.type', 'math', 'math'],
    ['email.password', ' with spaces ', ' with spaces '],
  ])('%s accepts %j', (key, text, value) => {
    expect(parse(key, text)).toEqual(value);
  });

  it.each([
    ['system.sitename', ' '],
    ['system.sitename', '长'.repeat(65)],
    ['system.domain', 'docs.example.com'],
    ['system.domain', 'javascript:alert(1)'],
    ['system.domain', 'https://user:pw@example.com'],
    ['system.copyright_start_year', '99'],
    ['system.copyright_start_year', '20201'],
    ['system.timezone', 'Mars/Olympus'],
    ['system.timezone', '+08:00'],
    ['system.timezone', ''],
    ['system.logo', 'https://elsewhere.example/logo.png'],
    ['system.favicon', '/uploads/../secret.png'],
    ['system.favicon', '/uploads/config/ab/x.svg'],
    ['footer.about', 'javascript:alert(1)'],
    ['footer.about', '//elsewhere.example'],
    ['footer.about', '/\\elsewhere.example'],
    ['security.is_close', '1'],
    ['security.is_close', ''],
    ['security.max_document_size', '0'],
    ['security.max_document_size', '-1'],
    ['security.max_document_size', '1.5'],
    ['security.max_document_size', '1e3'],
    ['security.max_document_size', '99999999999'],
    ['security.max_document_size', ''],
    ['security.document_allowed_ext', '.pdf,.exe'],
    ['captcha.type', 'audio'],
    ['captcha.type', 'toString'],
    ['email.port', '70000'],
    ['email.test_email', 'no-address'],
    ['email.host', 'mail server'],
  ])('%s rejects %j', (key, text) => {
    expect(() => parse(key, text)).toThrow(InvalidSettingValue);
  });
});

describe('a pasted analytics snippet', () => {
  const external = '<script async src="https://counter.example/a.js" data-id="7"></script>';
  it.each([
    ['', []],
    ['var a = 1;', [{ attributes: '', code: 'var a = 1;' }]],
    ['a("</script>")', [{ attributes: '', code: 'a("<\\/script>")' }]],
    ['<script>\nvar a = 1;\n</script>', [{ attributes: '', code: 'var a = 1;' }]],
    [
      '<!-- x --><SCRIPT type="text/javascript">a()</SCRIPT >\n<script>b()</script>',
      [
        { attributes: ' type="text/javascript"', code: 'a()' },
        { attributes: '', code: 'b()' },
      ],
    ],
    [external, [{ attributes: ' async src="https://counter.example/a.js" data-id="7"', code: '' }]],
    ['<script>if (a < b) c();</script><img src=x onerror=alert(1)>', [{ attributes: '', code: 'if (a < b) c();' }]],
  ])('%j has the script elements %j', (snippet, tags) => {
    expect(scriptTags(snippet)).toEqual(tags);
  });

  it.each([
    external,
    '<script src=//counter.example/a.js></script>',
    "<script src='https://counter.example/a.js'></script><script>a()</script>",
    'a()',
    'window._hmt = [];',
    '<script type="module">import "https://counter.example/a.js";</script>',
    '<script type="application/json">{"id": 7}</script><script>a()</script>',
    '<!-- Matomo -->\nvar _paq = [];\n<!-- End Matomo Code -->',
    '<script type="text/jscript">a()</script>',
  ])('%j is accepted', (snippet) => {
    expect(validateAnalyticsSnippet(snippet)).toBeUndefined();
  });

  it.each([
    ['<script src="http://counter.example/a.js"></script>', '应以 https:// 开头'],
    ['<script src="/uploads/a.js"></script>', '应以 https:// 开头'],
    ['<script src=data:text/javascript,a()></script>', '应以 https:// 开头'],
    ['<noscript><img src="https://x.example/p.gif"></noscript><script></script>', '没有可执行的脚本'],
    ['<img src=x onerror=alert(1)>', '请粘贴完整的 script 标签或 JavaScript 代码'],
    ['<!-- a() -->', '没有可执行的脚本'],
    ['请在这里粘贴统计代码', '没有可执行的脚本'],
    ['our counter (see wiki)', '没有可执行的脚本'],
    ['UA-12345-1', '没有可执行的脚本'],
    ['<script type="text/plain">a()</script>', '没有可执行的脚本'],
    ['<script>a(</script>', '语法错误'],
  ])('%j is rejected with a message that contains %j', (snippet, sentence) => {
    expect(validateAnalyticsSnippet(snippet)).toContain(sentence);
  });
});
