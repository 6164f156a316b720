import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod/mini';
import { parseStorageUrl } from './storage/storage-url.ts';

export const DEFAULT_REQUEST_TIMEOUT_MS = 30_000;

export type Config = {
  mode: 'all' | 'web' | 'worker';
  port: number;
  /** Processes of this node that answer requests. */
  webProcesses: number;
  /** `off`: all web processes run from the start. */
  webProcessesScaling: 'auto' | 'off';
  /** A request that takes longer is answered with 503. */
  requestTimeoutMs: number;
  host: string;
  dataDir: string;
  databaseUrl: string | null;
  storageUrl: string | null;
  searchUrl: string | null;
  adminPassword: string | null;
  publicUrl: string | null;
  trustedProxies: string[];
  smtpUrl: string | null;
  metricsToken: string | null;
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
};

/** The message is one line for the operator; it names the variables and never their values. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

export const projectRoot = fileURLToPath(new URL('../../..', import.meta.url));

const requiredText = (hint: string, isValid: (value: string) => boolean) => z.string().check(z.refine(isValid, hint));
const optionalText = (hint: string, isValid: (value: string) => boolean) =>
  z.pipe(
    z.optional(requiredText(hint, isValid)),
    z.transform((value) => value ?? null),
  );
const url = (...schemes: string[]) =>
  optionalText(`应为 ${schemes.map((scheme) => `${scheme}://`).join(' 或 ')} 开头的地址`, (value) => {
    const url = URL.parse(value);
    return url !== null && schemes.includes(url.protocol.slice(0, -1)) && hasHost(url);
  });
/** A PostgreSQL address may name its socket folder in `?host=` instead of a host. */
const hasHost = (url: URL) => url.hostname !== '' || url.searchParams.has('host');

/** Several nodes must together stay below the 100 connections that PostgreSQL allows by default. */
const MAX_DEFAULT_WEB_PROCESSES = 4;
/** Several processes can listen on one port only where the kernel distributes its connections. */
const sharesPorts = process.platform === 'linux';
const defaultWebProcesses = () => (sharesPorts ? Math.min(availableParallelism(), MAX_DEFAULT_WEB_PROCESSES) : 1);

const environment = z.object({
  PORT: z.pipe(
    z._default(
      requiredText('应为 0 到 65535 的整数', (value) => /^\d{1,5}$/.test(value) && +value < 65536),
      '3000',
    ),
    z.transform(Number),
  ),
  HOST: z._default(
    requiredText('应为 IP 地址或主机名', (value) => /^[A-Za-z0-9._:-]+$/.test(value)),
    '0.0.0.0',
  ),
  WEB_PROCESSES: z.pipe(
    z.optional(
      requiredText(
        sharesPorts ? '应为 1 到 64 的整数' : '在这个操作系统上只能是 1',
        (value) => /^\d{1,2}$/.test(value) && +value >= 1 && +value <= (sharesPorts ? 64 : 1),
      ),
    ),
    z.transform((value) => (value ? Number(value) : defaultWebProcesses())),
  ),
  WEB_PROCESSES_SCALING: z._default(z.enum(['auto', 'off'], '应为 auto 或 off'), 'auto'),
  REQUEST_TIMEOUT: z.pipe(
    z._default(
      requiredText('应为 5 到 600 的整数', (value) => /^\d{1,3}$/.test(value) && +value >= 5 && +value <= 600),
      String(DEFAULT_REQUEST_TIMEOUT_MS / 1_000),
    ),
    z.transform((value) => Number(value) * 1_000),
  ),
  DATA_DIR: z.pipe(
    z._default(
      requiredText('应为文件夹路径', (value) => !value.includes('\0')),
      './data',
    ),
    z.transform((value) => path.resolve(projectRoot, value)),
  ),
  DATABASE_URL: url('postgres', 'postgresql'),
  STORAGE_URL: optionalText(
    '应为 s3://KEY:SECRET@主机[:端口]/存储桶[/前缀]?region=…&ssl=true|false&path_style=true|false',
    (value) => parseStorageUrl(value) !== null,
  ),
  SEARCH_URL: url('http', 'https'),
  MODE: z._default(z.enum(['all', 'web', 'worker'], '应为 all、web 或 worker'), 'all'),
  ADMIN_PASSWORD: optionalText('应为 8 到 72 个字符', (value) => value.length >= 8 && value.length <= 72),
  PUBLIC_URL: z.pipe(
    optionalText('应为 http:// 或 https:// 开头的网站地址，不含路径', isOrigin),
    z.transform((value) => value && new URL(value).origin),
  ),
  TRUSTED_PROXIES: z.pipe(
    z._default(
      requiredText('应为以逗号分隔的 IP 地址或 CIDR 网段', (value) => splitList(value).every(isAddressRange)),
      '',
    ),
    z.transform(splitList),
  ),
  SMTP_URL: url('smtp', 'smtps'),
  METRICS_TOKEN: optionalText('应为 16 到 200 个字母、数字或 - _ . ~', (value) => /^[\w.~-]{16,200}$/.test(value)),
  LOG_LEVEL: z._default(
    z.enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      '应为 fatal、error、warn、info、debug、trace 或 silent',
    ),
    'info',
  ),
});

export const environmentKeys = Object.keys(environment.shape);

/** Throws a ConfigError that names every wrong variable. An empty variable counts as not set. */
export function loadConfig(env: NodeJS.ProcessEnv = processEnvironment()): Config {
  const definedValues = Object.fromEntries(
    environmentKeys.flatMap((key) => {
      const value = env[key]?.trim();
      return value ? [[key, value]] : [];
    }),
  );
  const result = environment.safeParse(definedValues);
  if (!result.success) {
    const lines = result.error.issues.map((issue) => `环境变量 ${issue.path.join('.')} 不正确，${issue.message}`);
    throw new ConfigError([...new Set(lines)].join('；'));
  }
  const values = result.data;
  return {
    mode: values.MODE,
    port: values.PORT,
    webProcesses: values.WEB_PROCESSES,
    webProcessesScaling: values.WEB_PROCESSES_SCALING,
    requestTimeoutMs: values.REQUEST_TIMEOUT,
    host: values.HOST,
    dataDir: values.DATA_DIR,
    databaseUrl: values.DATABASE_URL,
    storageUrl: values.STORAGE_URL,
    searchUrl: values.SEARCH_URL,
    adminPassword: values.ADMIN_PASSWORD,
    publicUrl: values.PUBLIC_URL,
    trustedProxies: values.TRUSTED_PROXIES,
    smtpUrl: values.SMTP_URL,
    metricsToken: values.METRICS_TOKEN,
    logLevel: values.LOG_LEVEL,
  };
}

/** Variables of the process take precedence over the `.env` file of the project. */
function processEnvironment(): NodeJS.ProcessEnv {
  const file = path.join(projectRoot, '.env');
  if (existsSync(file)) process.loadEnvFile(file);
  return process.env;
}

/** Folders of PATH. */
export function executableSearchPath(): string[] {
  return (process.env.PATH ?? '').split(path.delimiter).filter((folder) => folder !== '');
}

function splitList(value: string): string[] {
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function isAddressRange(value: string): boolean {
  const [address = '', bits, ...rest] = value.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && +bits <= (family === 4 ? 32 : 128));
}

function isOrigin(value: string): boolean {
  const url = URL.parse(value);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return false;
  return url.username === '' && url.pathname === '/' && !url.search && !url.hash;
}
