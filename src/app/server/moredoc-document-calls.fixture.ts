import {
  ADMIN_PAGE,
  fieldPaths,
  type MoredocCall,
  type MoredocSite,
  queryString,
  USER_FIELDS,
} from './moredoc-call.fixture.ts';

const DOCUMENT_FIELDS = [
  ...['id', 'uuid', 'title', 'ext', 'size', 'pages', 'price', 'status', 'score', 'created_at'],
  ...['description', 'keywords', 'view_count', 'download_count', 'favorite_count', 'user_id'],
];

const ROW_FIELDS = [...DOCUMENT_FIELDS, 'attachment.hash', 'username', 'cover'];

export const categoryCalls = ({ category, spareCategory }: MoredocSite): MoredocCall[] => [
  {
    by: 'visitor',
    reads: fieldPaths('category.0', ['id', 'title', 'parent_id', 'cover', 'doc_count', 'enable']),
    call: `GET /category/list?${queryString({ field: ['id', 'title', 'parent_id', 'cover', 'doc_count', 'enable'] })}`,
  },
  { by: 'admin', call: 'GET /category/list', reads: ['category.0.sort', 'category.0.enable'] },
  {
    by: 'admin',
    call: `GET /category?id=${category}`,
    reads: ['id', 'title', 'parent_id', 'cover'],
  },
  {
    by: 'admin',
    call: 'POST /category',
    body: { parent_id: category, title: '子类一\n子类二', enable: true },
  },
  {
    by: 'admin',
    call: 'PUT /category',
    body: {
      id: spareCategory,
      title: '改名的分类',
      parent_id: 0,
      sort: 1,
      enable: true,
      doc_count: 0,
    },
  },
  { by: 'admin', call: `DELETE /category?id=${spareCategory}` },
  { by: 'admin', call: 'POST /upload/category', file: 'image', reads: ['data.path'] },
];

export const documentCalls = (site: MoredocSite): MoredocCall[] => [
  {
    by: 'visitor',
    call: 'GET /document/home?limit=5',
    reads: fieldPaths('document.0', [
      'category_id',
      'category_name',
      'category_cover',
      'document.0.cover',
      'document.0.title',
    ]),
  },
  {
    by: 'visitor',
    call: `GET /document/list?${queryString({ is_recommend: 'true', order: 'recommend_at desc', limit: 12, field: ['id', 'title'] })}`,
    reads: ['document.0.id', 'document.0.title'],
  },
  {
    by: 'visitor',
    call: `GET /document/list?page=1&size=10&category_id=${site.category}&category_id=0&order=id%20desc&ext=all&status=2`,
    reads: [
      'total',
      ...fieldPaths('document.0', [...DOCUMENT_FIELDS, 'attachment.hash', 'username', 'category.0.title']),
    ],
  },
  {
    by: 'visitor',
    call: `GET /document?id=${site.document}&uuid=&with_author=true`,
    reads: [
      ...DOCUMENT_FIELDS,
      'attachment.hash',
      'preview',
      'width',
      'height',
      'category_id',
      ...fieldPaths('user', USER_FIELDS),
    ],
  },
  {
    by: 'visitor',
    call: `GET /document?id=0&uuid=${site.uuid}&with_author=1`,
    reads: ['id', 'attachment.ext', 'attachment.size'],
  },
  { by: 'visitor', call: `GET /document/related?id=${site.document}`, reads: fieldPaths('document.0', ROW_FIELDS) },
  {
    by: 'visitor',
    call: `GET /document/search?${queryString({ wd: '一篇文档', page: 1, size: 10, category_id: 0, ext: 'all', sort: 'default' })}`,
    reads: ['total', 'spend', ...fieldPaths('document.0', ROW_FIELDS)],
  },
  {
    by: 'visitor',
    call: 'GET /document/search?wd=&page=1&size=10&category_id=0&ext=all&sort=default',
    reads: ['total', 'spend', 'document'],
  },
  { by: 'member', call: `GET /document/download?id=${site.document}`, reads: ['url'] },
  { by: 'member', call: `GET /document/score?document_id=${site.document}`, reads: ['score'] },
  { by: 'member', call: 'POST /document/score', body: { document_id: site.document, score: 400 } },
  { by: 'member', call: 'POST /upload/document', file: 'document', reads: ['code', 'data.id'] },
  {
    by: 'member',
    call: 'POST /document',
    body: {
      overwrite: false,
      category_id: [site.category],
      document: [{ title: '新上传', attachment_id: site.unusedUpload, price: 0 }],
    },
  },
  {
    by: 'admin',
    call: `GET /document/list?${ADMIN_PAGE}&order=id%20desc`,
    reads: [
      'total',
      ...fieldPaths('document.0', [...DOCUMENT_FIELDS, 'username', 'convert_error', 'recommend_at', 'category_id']),
    ],
  },
  {
    by: 'admin',
    call: 'PUT /document',
    body: {
      id: site.document,
      title: '改名的文档',
      price: 0,
      category_id: [site.category],
      status: 2,
      username: 'x',
      attachment: {},
      user: {},
    },
  },
  { by: 'admin', call: 'PUT /document/recommend', body: { id: [site.document], type: 1 } },
  { by: 'admin', call: `DELETE /document?id=${site.spareDocument}` },
  {
    by: 'admin',
    call: `GET /document/recycle?${ADMIN_PAGE}`,
    reads: ['total', ...fieldPaths('document.0', ['title', 'deleted_at', 'deleted_username', 'username'])],
  },
  { by: 'admin', call: 'PUT /document/recycle', body: { id: [site.binnedDocument] } },
  { by: 'admin', call: `DELETE /document/recycle?id=${site.erasedDocument}` },
  { by: 'admin', call: 'DELETE /document/recycle/all' },
];

export const communityCalls = (site: MoredocSite): MoredocCall[] => [
  {
    by: 'visitor',
    call: `GET /comment/list?document_id=${site.document}&field=`,
    reads: [
      'total',
      ...fieldPaths('comment.0', ['id', 'content', 'parent_id', 'user.username', 'user.avatar', 'created_at']),
    ],
  },
  {
    by: 'admin',
    call: `GET /comment/list?${ADMIN_PAGE}&order=id%20desc`,
    reads: ['total', 'comment.0.document_title', 'comment.0.status', 'comment.0.user.username'],
  },
  {
    by: 'member',
    call: 'POST /comment',
    body: {
      document_id: site.document,
      parent_id: site.comment,
      content: '回复',
      captcha: '',
      captcha_id: '',
    },
  },
  { by: 'admin', call: `GET /comment?id=${site.comment}`, reads: ['id', 'content', 'status'] },
  {
    by: 'admin',
    call: 'PUT /comment',
    body: { id: site.comment, content: '改过的评论', status: 1, user: {}, document_title: '' },
  },
  { by: 'admin', call: 'POST /comment/check', body: { id: [site.comment], status: 1 } },
  { by: 'admin', call: `DELETE /comment?id=${site.spareComment}` },
  {
    by: 'member',
    call: 'POST /favorite',
    body: { document_id: site.document },
    reads: ['id', 'document_id'],
  },
  { by: 'member', call: `GET /favorite?document_id=${site.document}`, reads: ['id'] },
  {
    by: 'visitor',
    call: `GET /favorite/list?user_id=${site.member}&page=1&size=10`,
    reads: ['total', ...fieldPaths('favorite.0', ['title', 'ext', 'score', 'size', 'pages', 'document_id'])],
  },
  { by: 'member', call: `DELETE /favorite?id=${site.spareFavorite}` },
  {
    by: 'member',
    call: 'POST /report',
    body: { document_id: site.document, document_title: '一篇文档', reason: 1 },
  },
  {
    by: 'admin',
    call: `GET /report/list?${ADMIN_PAGE}&status=0`,
    reads: ['total', ...fieldPaths('report.0', ['id', 'document_title', 'username', 'reason', 'status', 'remark'])],
  },
  {
    by: 'admin',
    call: 'PUT /report',
    body: { id: site.report, status: true, remark: '已处理', document_title: 'x', username: 'x' },
  },
  { by: 'admin', call: `DELETE /report?id=${site.report}` },
];
