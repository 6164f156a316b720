/** Error that the API sends to clients. Any other error becomes a 500 without detail. */
export class AppError extends Error {
  override name = 'AppError';
  readonly code: string;
  readonly status: number;
  /** Seconds until a retry makes sense; sent as Retry-After. */
  readonly retryAfter?: number;
  constructor(code: string, status: number, message: string, retryAfter?: number) {
    super(message);
    this.code = code;
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** Body of every error response. `error` repeats `message`, for clients written for moredoc. */
export type ErrorBody = { code: string; message: string; error: string };

export const errorBody = ({ code, message }: AppError): ErrorBody => ({
  code,
  message,
  error: message,
});

/** Whether a retry of the same request may succeed. Status 0 means that there was no response. */
export const isTransientStatus = (status: number): boolean =>
  status === 0 || status === 408 || status === 429 || status >= 500;

type ErrorTable = Record<string, readonly [status: number, message: string]>;

type ErrorFactory = ((detail?: string, retryAfter?: number) => AppError) & {
  code: string;
  is(error: unknown): error is AppError;
};

/** Declares the errors of a module: the server throws them, the browser recognizes them by `is`. */
export function defineErrors<const T extends ErrorTable>(domain: string, table: T) {
  const entries = Object.entries(table).map(([key, [status, message]]) => {
    const code = `${domain}.${key}`;
    const make = (detail = message, retryAfter?: number) => new AppError(code, status, detail, retryAfter);
    const is = (error: unknown): error is AppError => error instanceof AppError && error.code === code;
    return [key, Object.assign(make, { code, is })] as const;
  });
  return Object.fromEntries(entries) as { [K in keyof T]: ErrorFactory };
}

/** Errors that every endpoint may return. */
export const httpErrors = defineErrors('http', {
  badRequest: [400, '请求格式不正确'],
  invalidInput: [400, '参数不正确'],
  loginRequired: [401, '您未登录或您的登录已过期，请重新登录或刷新页面重试'],
  forbidden: [403, '您没有权限访问'],
  notFound: [404, '您访问的内容不存在'],
  requestTimeout: [408, '请求没有及时传完，请重试'],
  tooLarge: [413, '提交的内容过大'],
  unsupportedType: [415, '不支持的内容类型'],
  headersTooLarge: [431, '请求头过大，请清除本站的 Cookie 后重试'],
  tooManyRequests: [429, '操作太频繁，请稍后再试'],
  internal: [500, '服务器出错了，请稍后重试'],
  unavailable: [503, '服务暂时不可用，请稍后重试'],
  noSpace: [507, '服务器存储空间不足，请联系管理员'],
});
