/** Every permission: service → method → title. The table is seeded from this list. */
const services = {
  UserAPI: {
    ListUser: '查看用户列表',
    GetUser: '根据ID查询用户',
    AddUser: '新增用户',
    SetUser: '设置用户密码与角色',
    DeleteUser: '删除用户',
    UpdateUserProfile: '更新用户资料',
    UpdateUserPassword: '修改用户密码',
    AdjustCredit: '调整用户积分',
    BanUser: '禁用用户',
  },
  GroupAPI: {
    ListGroup: '获取角色列表',
    CreateGroup: '创建角色',
    UpdateGroup: '更新角色',
    DeleteGroup: '删除角色',
    GetGroupPermission: '获取角色授权',
    UpdateGroupPermission: '给角色授权',
  },
  PermissionAPI: {
    ListPermission: '获取权限列表',
    GetPermission: '根据ID查询权限',
    UpdatePermission: '更新权限信息',
  },
  FriendlinkAPI: {
    ListFriendlink: '查看友链列表',
    GetFriendlink: '根据ID查询友链',
    CreateFriendlink: '创建友链',
    UpdateFriendlink: '更新友链',
    DeleteFriendlink: '删除友链',
  },
  AttachmentAPI: {
    ListAttachment: '查看附件列表',
    GetAttachment: '根据ID查询附件',
    UpdateAttachment: '更新附件信息',
    DeleteAttachment: '删除附件',
  },
  BannerAPI: {
    ListBanner: '获取横幅列表',
    GetBanner: '根据ID查询横幅',
    CreateBanner: '创建横幅',
    UpdateBanner: '更新横幅',
    DeleteBanner: '删除横幅',
  },
  ConfigAPI: {
    ListConfig: '获取系统配置列表',
    UpdateConfig: '更新系统配置',
    GetStats: '查看系统信息',
    UpdateSitemap: '更新站点地图',
    GetEnvs: '查看运行环境',
    GetDeviceInfo: '查看服务器硬件信息',
  },
  AuditAPI: { ListAudit: '查看操作记录' },
  MailAPI: { ListMail: '查看发件箱' },
  CategoryAPI: {
    ListCategory: '查询文档分类列表',
    GetCategory: '根据ID查询文档分类',
    CreateCategory: '新增文档分类',
    UpdateCategory: '更新文档分类',
    DeleteCategory: '删除文档分类',
  },
  DocumentAPI: {
    ListDocument: '获取文档列表',
    GetDocument: '根据ID查询文档',
    UpdateDocument: '更新文档',
    DeleteDocument: '删除文档',
    SetDocumentRecommend: '推荐文档',
    SetDocumentReconvert: '一键重转失败文档',
    SetDocumentsCategory: '批量修改文档分类',
    CheckDocument: '文档审核',
    DownloadDocumentToBeReviewed: '下载待审文档',
  },
  SearchRecordAPI: {
    ListSearchRecord: '获取搜索记录列表',
    DeleteSearchRecord: '删除搜索记录',
    ListSynonym: '查看同义词',
    UpdateSynonym: '修改同义词',
  },
  RecycleAPI: {
    ListRecycleDocument: '获取回收站文档列表',
    RecoverRecycleDocument: '恢复回收站文档',
    DeleteRecycleDocument: '删除回收站文档',
    ClearRecycleDocument: '清空回收站文档',
  },
  ArticleAPI: {
    ListArticle: '单页管理',
    CreateArticle: '创建单页',
    UpdateArticle: '更新单页',
    DeleteArticle: '删除单页',
  },
  CommentAPI: {
    ListComment: '获取评论列表',
    GetComment: '获取单个评论',
    CheckComment: '批量审核评论',
    UpdateComment: '更新评论',
    DeleteComment: '删除评论',
  },
  ReportAPI: {
    ListReport: '查询举报列表',
    UpdateReport: '处理举报内容',
    DeleteReport: '删除举报内容',
  },
} as const;

const uploads = {
  banner: '上传横幅',
  article: '上传文章图片',
  category: '上传文档分类封面',
  config: '上传配置图片文件',
  avatar: '更新头像',
} as const;

export type CataloguedPermission = { name: string; method: string; path: string; title: string };

export const permissionCatalogue: readonly CataloguedPermission[] = [
  ...Object.entries(services).flatMap(([service, methods]) =>
    Object.entries(methods).map(([method, title]) => ({
      name: `${service}/${method}`,
      method: 'GRPC',
      path: `/api.v1.${service}/${method}`,
      title,
    })),
  ),
  ...Object.entries(uploads).map(([name, title]) => ({
    name: `upload/${name}`,
    method: 'POST',
    path: `/api/v1/upload/${name}`,
    title,
  })),
];

/** Services whose permissions the seeded reviewer role holds. */
export const reviewerServices = ['DocumentAPI', 'RecycleAPI', 'CommentAPI', 'ReportAPI'] as const;
