import { ADMIN_PAGE, fieldPaths, type MoredocCall, type MoredocSite } from './moredoc-call.fixture.ts';

export const siteCalls = (site: MoredocSite): MoredocCall[] => [
  {
    by: 'visitor',
    call: 'GET /settings',
    reads: ['system.sitename', 'footer.about', 'security.document_allowed_ext.0', 'security.max_document_size'],
  },
  { by: 'visitor', call: 'GET /stats', reads: ['user_count', 'document_count'] },
  {
    by: 'admin',
    call: 'GET /stats',
    reads: ['version', 'hash', 'build_at', 'os', 'category_count', 'report_count'],
  },
  { by: 'admin', call: 'GET /envs', reads: ['envs.0.name', 'envs.0.is_installed', 'envs.0.cmd'] },
  { by: 'admin', call: 'PUT /sitemap' },
  {
    by: 'admin',
    call: 'GET /config/list?category=footer',
    reads: fieldPaths('config.0', ['id', 'label', 'name', 'value', 'input_type', 'category']),
  },
  {
    by: 'admin',
    call: 'PUT /config',
    body: {
      config: [{ id: 1, label: 'x', category: 'footer', name: 'about', value: '/article/about' }],
    },
  },
  { by: 'admin', call: 'POST /upload/config', file: 'image', reads: ['data.path'] },
  {
    by: 'visitor',
    call: 'GET /banner/list?enable=1&type=0&field=id&field=title&field=path&field=url',
    reads: fieldPaths('banner.0', ['id', 'title', 'path', 'url']),
  },
  {
    by: 'admin',
    call: `GET /banner/list?${ADMIN_PAGE}`,
    reads: ['total', 'banner.0.sort', 'banner.0.enable'],
  },
  { by: 'admin', call: `GET /banner?id=${site.banner}`, reads: ['id', 'path'] },
  { by: 'admin', call: 'POST /upload/banner', file: 'image', reads: ['data.path'] },
  {
    by: 'admin',
    call: 'POST /banner',
    body: { title: '横幅', path: site.bannerPath, url: '', sort: 0, enable: true, type: 0 },
  },
  {
    by: 'admin',
    call: 'PUT /banner',
    body: { id: site.banner, title: '改名的横幅', path: site.bannerPath, created_at: '' },
  },
  { by: 'admin', call: `DELETE /banner?id=${site.banner}` },
  {
    by: 'visitor',
    call: 'GET /friendlink/list?enable=true&field=id&field=title&field=link',
    reads: ['friendlink.0.title', 'friendlink.0.link'],
  },
  {
    by: 'admin',
    call: 'POST /friendlink',
    body: { title: '友站', link: 'https://other.example.com', enable: true, sort: 0 },
  },
  { by: 'admin', call: `GET /friendlink?id=${site.friendLink}`, reads: ['id', 'title', 'link'] },
  {
    by: 'admin',
    call: 'PUT /friendlink',
    body: { id: site.friendLink, title: '改名的友站', link: 'https://example.com', created_at: '' },
  },
  { by: 'admin', call: `DELETE /friendlink?id=${site.friendLink}` },
  {
    by: 'visitor',
    call: 'GET /article?identifier=about',
    reads: ['title', 'content', 'user.username', 'view_count', 'created_at'],
  },
  {
    by: 'admin',
    call: `GET /article/list?${ADMIN_PAGE}`,
    reads: ['total', 'article.0.identifier', 'article.0.user.username'],
  },
  {
    by: 'admin',
    call: 'POST /article',
    body: {
      title: '单页',
      identifier: 'created',
      content: '<p>文</p>',
      keywords: '',
      description: '',
    },
  },
  {
    by: 'admin',
    call: 'PUT /article',
    body: { id: site.article, title: '改名的单页', identifier: 'spare', user: {}, view_count: 1 },
  },
  { by: 'admin', call: `DELETE /article?id=${site.article}` },
  {
    by: 'admin',
    call: 'POST /upload/article?type=image',
    file: 'image',
    reads: ['errno', 'data.url'],
  },
  {
    by: 'admin',
    call: `GET /attachment/list?${ADMIN_PAGE}`,
    reads: ['total', ...fieldPaths('attachment.0', ['id', 'name', 'type_name', 'username', 'hash', 'path', 'enable'])],
  },
  { by: 'admin', call: `GET /attachment?id=${site.attachment}`, reads: ['id', 'name', 'enable'] },
  {
    by: 'admin',
    call: 'PUT /attachment',
    body: { id: site.attachment, name: '改名', enable: true, description: '', username: 'x' },
  },
  { by: 'admin', call: `DELETE /attachment?id=${site.attachment}` },
  { by: 'member', call: 'DELETE /user/logout' },
];
