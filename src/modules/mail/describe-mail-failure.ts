/** Fields that nodemailer adds to its errors. */
type MailError = { code?: unknown; originalCode?: unknown; command?: unknown; responseCode?: unknown };

const failureSentences: Record<string, string> = {
  ECONNREFUSED: '邮件服务器拒绝连接，请检查地址和端口',
  ETIMEDOUT: '连接邮件服务器超时',
  ENOTFOUND: '找不到邮件服务器，请检查地址',
  EDNS: '找不到邮件服务器，请检查地址',
  EAUTH: '邮件服务器认证失败，请检查用户名和密码',
  ENOAUTH: '邮件服务器认证失败，请检查用户名和密码',
  ETLS: '与邮件服务器的加密连接失败',
  EENVELOPE: '邮件服务器拒绝了发件地址',
  EMESSAGE: '邮件服务器拒绝了这封邮件',
  ECONNECTION: '与邮件服务器的连接中断',
  ESOCKET: '与邮件服务器的连接中断',
};

/** The sentence for administrators. The message of the driver is only logged. */
export function describeMailFailure(error: unknown): string {
  const { code, originalCode, command, responseCode } = (error ?? {}) as MailError;
  const isRecipientRejected = code === 'EENVELOPE' && String(command).startsWith('RCPT');
  const sentence = isRecipientRejected
    ? '邮件服务器拒绝了收件地址'
    : (failureSentences[String(originalCode)] ?? failureSentences[String(code)] ?? '邮件没有寄出，原因见日志');
  return typeof responseCode === 'number' ? `${sentence}（${responseCode}）` : sentence;
}
