/** Permanent reasons why a file cannot be converted; users see the texts. */
export const rejectionReasons = {
  encrypted: '文档已加密',
  wrongPassword: '密码不正确',
  unsupportedEncryption: '暂不支持这种加密方式，请去掉密码后替换文件',
  damaged: '文档已损坏，无法打开',
  incomplete: '文件不完整，请重新上传',
  empty: '文档没有内容',
  mismatch: '文件的内容与扩展名不符',
  bomb: '压缩包展开后过大，无法处理',
  noImages: '压缩包里没有图片',
  drm: '电子书受版权保护（DRM），无法打开',
  tooLarge: '文档过大，无法处理',
  nested: '文档的结构嵌套过深，无法处理',
  hiddenSheets: '工作簿的所有工作表都被隐藏，没有可以显示的内容。请取消隐藏后重新上传',
  archiveEncrypted: '压缩包已加密，请在本机解开后上传',
  archiveDamaged: '压缩包已损坏或不完整，无法打开',
  archiveEntries: '压缩包里的文件过多（最多 2000 个），请分成几个压缩包',
  archiveEmpty: '压缩包里没有文件',
} as const;
export type RejectionReason = keyof typeof rejectionReasons;

/** The converter rejects the file for a known reason. Any other error is retried. */
export class RejectedFileError extends Error {
  readonly reason: RejectionReason;
  constructor(reason: RejectionReason, detail = '') {
    super(detail || reason);
    this.reason = reason;
  }
}
