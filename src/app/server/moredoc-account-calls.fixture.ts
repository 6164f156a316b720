import {
  ADMIN_PAGE,
  fieldPaths,
  type MoredocCall,
  type MoredocSite,
  queryString,
  USER_FIELDS,
} from './moredoc-call.fixture.ts';

export const accountCalls = ({ member, role, spareUser, passwords }: MoredocSite): MoredocCall[] => [
  { by: 'visitor', call: 'GET /user/captcha?type=login', reads: ['enable'] },
  { by: 'visitor', call: 'GET /user/captcha?type=register', reads: ['enable'] },
  { by: 'visitor', call: 'GET /user/captcha?type=find_password', reads: ['enable'] },
  { by: 'visitor', call: 'GET /user/captcha?type=comment', reads: ['enable'] },
  {
    by: 'visitor',
    call: 'POST /user/register',
    reads: ['token', ...fieldPaths('user', USER_FIELDS)],
    body: { username: 'newcomer', password: 'long-enough', email: 'new@example.com', captcha: '' },
  },
  {
    by: 'visitor',
    call: 'POST /user/login',
    reads: ['token', ...fieldPaths('user', USER_FIELDS)],
    body: { username: 'admin', password: passwords.admin, captcha: '', captcha_id: '' },
  },
  { by: 'member', call: 'GET /user', reads: [...USER_FIELDS, 'email', 'credit_count'] },
  { by: 'visitor', call: `GET /user?id=${member}`, reads: USER_FIELDS },
  { by: 'member', call: 'GET /user/permission', reads: ['permission'] },
  { by: 'admin', call: 'GET /user/permission', reads: ['permission.0.path', 'permission.0.id'] },
  { by: 'member', call: 'GET /user/caniuploaddocument' },
  { by: 'member', call: 'GET /user/sign', reads: ['id'] },
  { by: 'member', call: 'PUT /user/sign', reads: ['award', 'sign_at'] },
  {
    by: 'visitor',
    call: `GET /user/dynamic?id=${member}&page=1&size=10`,
    reads: ['total', ...fieldPaths('dynamic.0', ['id', 'type', 'content', 'created_at'])],
  },
  {
    by: 'member',
    call: 'PUT /user/profile',
    body: {
      id: member,
      email: '',
      mobile: '',
      address: '',
      signature: '你好',
      realname: '',
      identity: '',
    },
  },
  {
    by: 'member',
    call: 'PUT /user/password',
    body: { id: 0, old_password: passwords.member, new_password: 'another-password' },
  },
  { by: 'member', call: 'POST /upload/avatar', file: 'image', reads: ['data.path'] },
  {
    by: 'visitor',
    call: 'POST /user/findpassword/stepone',
    body: { email: 'new@example.com', captcha: '', captcha_id: '' },
  },
  {
    by: 'visitor',
    call: 'PUT /user/findpassword/steptwo',
    status: 400,
    body: { email: 'new@example.com', token: 'wrong', password: 'long-enough', captcha: '' },
    reads: ['message'],
  },
  {
    by: 'visitor',
    call: 'GET /user/list?limit=5&sort=doc_count%20desc',
    reads: fieldPaths('user.0', USER_FIELDS),
  },
  {
    by: 'admin',
    call: `GET /user/list?${ADMIN_PAGE}`,
    reads: ['total', ...fieldPaths('user.0', [...USER_FIELDS, 'group_id', 'email', 'register_ip', 'status'])],
  },
  {
    by: 'admin',
    call: 'POST /user',
    body: { id: 0, username: 'added', password: 'long-enough', email: '', group_id: [role] },
  },
  {
    by: 'admin',
    call: 'PUT /user',
    body: { id: spareUser, username: 'spare', password: '', group_id: [role] },
  },
  { by: 'admin', call: `DELETE /user?id=${spareUser}`, body: { password: passwords.admin } },
];

export const roleCalls = ({ role, spareRole, permission }: MoredocSite): MoredocCall[] => [
  {
    by: 'visitor',
    call: 'GET /group/list?field=id&field=title',
    reads: ['group.0.id', 'group.0.title'],
  },
  { by: 'admin', call: `GET /group/list?${ADMIN_PAGE}`, reads: ['total', 'group.0.is_default'] },
  { by: 'admin', call: `GET /group?id=${role}`, reads: ['id', 'title', 'enable_upload'] },
  { by: 'admin', call: 'POST /group', body: { title: '新角色', enable_upload: true, sort: 0 } },
  { by: 'admin', call: 'PUT /group', body: { id: spareRole, title: '备用角色', user_count: 3 } },
  { by: 'admin', call: `GET /group/permission?id=${role}`, reads: ['permission_id'] },
  {
    by: 'admin',
    call: 'PUT /group/permission',
    body: { group_id: spareRole, permission_id: [permission, 0, -1] },
  },
  { by: 'admin', call: `DELETE /group?id=${spareRole}` },
  {
    by: 'admin',
    call: `GET /permission/list?${queryString({ method: ['get', 'post', 'put', 'delete', 'grpc'] })}`,
    reads: ['permission.0.id', 'permission.0.path', 'permission.0.title'],
  },
  { by: 'admin', call: `GET /permission?id=${permission}`, reads: ['id', 'title', 'description'] },
  {
    by: 'admin',
    call: 'PUT /permission',
    body: { id: permission, title: '一项权限', description: '', method: 'GRPC', path: '/x' },
  },
];
