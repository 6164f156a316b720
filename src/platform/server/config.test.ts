import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError, environmentKeys, loadConfig, projectRoot } from './config.ts';

const errorMessageFor = (env: NodeJS.ProcessEnv) => {
  try {
    loadConfig(env);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).message;
  }
  throw new Error('loadConfig accepted the value');
};

describe('configuration from the environment', () => {
  it('uses a default or null for every variable that is not set', () => {
    expect(loadConfig({})).toEqual({
      mode: 'all',
      port: 3000,
      webProcessesScaling: 'auto',
      requestTimeoutMs: 30_000,
      webProcesses: Math.min(availableParallelism(), 4),
      host: '0.0.0.0',
      dataDir: path.join(projectRoot, 'data'),
      databaseUrl: null,
      storageUrl: null,
      searchUrl: null,
      adminPassword: null,
      publicUrl: null,
      trustedProxies: [],
      smtpUrl: null,
      metricsToken: null,
      logLevel: 'info',
    });
  });

  it('treats an empty variable as not set', () => {
    const blank = Object.fromEntries(environmentKeys.map((key) => [key, '  ']));
    expect(loadConfig(blank)).toEqual(loadConfig({}));
  });

  it('reads every variable from the environment', () => {
    const config = loadConfig({
      PORT: '8080',
      HOST: '127.0.0.1',
      DATA_DIR: '/srv/豆库 data',
      DATABASE_URL: 'postgres://douku:pw@db:5432/douku',
      STORAGE_URL: 's3://KEY:SE%2FCRET@s3.example.com:9000/docs/files?ssl=false',
      SEARCH_URL: 'https://search:9200',
      MODE: 'worker',
      ADMIN_PASSWORD: 'long enough',
      PUBLIC_URL: 'https://Docs.example.com/',
      TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8, fd00::/8',
      SMTP_URL: 'smtps://a:b@mail.example.com:465',
      LOG_LEVEL: 'debug',
    });
    expect(config).toMatchObject({
      mode: 'worker',
      port: 8080,
      dataDir: '/srv/豆库 data',
      publicUrl: 'https://docs.example.com',
      trustedProxies: ['127.0.0.1', '10.0.0.0/8', 'fd00::/8'],
      logLevel: 'debug',
    });
  });

  it('accepts a PostgreSQL address that names a socket folder', () => {
    const url = 'postgresql:///douku?host=%2Frun%2Fpostgresql';
    expect(loadConfig({ DATABASE_URL: url }).databaseUrl).toBe(url);
  });

  it.each([
    ['PORT', '70000'],
    ['PORT', '80a'],
    ['WEB_PROCESSES', '0'],
    ['WEB_PROCESSES', '100'],
    ['WEB_PROCESSES_SCALING', 'on'],
    ['REQUEST_TIMEOUT', '4'],
    ['REQUEST_TIMEOUT', '601'],
    ['HOST', 'two words'],
    ['DATABASE_URL', 'mysql://db/douku'],
    ['STORAGE_URL', 's3://host/bucket'],
    ['STORAGE_URL', 's3://K:S@host/bucket?ssl=maybe'],
    ['STORAGE_URL', 's3://K:S@host/bucket?sll=false'],
    ['STORAGE_URL', 's3://K:S@host/'],
    ['SEARCH_URL', 'search:9200'],
    ['MODE', 'both'],
    ['ADMIN_PASSWORD', 'short'],
    ['PUBLIC_URL', 'https://docs.example.com/library'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', '127.0.0.1,proxy'],
    ['SMTP_URL', 'http://mail'],
    ['LOG_LEVEL', 'loud'],
  ])('rejects a wrong %s with one line that names the variable (%s)', (key, value) => {
    const message = errorMessageFor({ [key]: value });
    expect(message).toContain(`环境变量 ${key} 不正确`);
    expect(message).not.toContain('\n');
  });

  it('names every wrong variable in the error and repeats no value', () => {
    const message = errorMessageFor({
      DATABASE_URL: 'mysql://root:hunter2secret@db',
      STORAGE_URL: 's3://AKIA123:topsecret@host',
      ADMIN_PASSWORD: '12345',
      SMTP_URL: 'ftp://mailer:mailsecret@host',
    });
    for (const key of ['DATABASE_URL', 'STORAGE_URL', 'ADMIN_PASSWORD', 'SMTP_URL']) expect(message).toContain(key);
    for (const secret of ['hunter2secret', 'AKIA123', 'topsecret', '12345', 'mailsecret'])
      expect(message).not.toContain(secret);
  });

  it('lists exactly the existing variables in .env.example', () => {
    const example = readFileSync(path.join(projectRoot, '.env.example'), 'utf8');
    const exampleKeys = [...example.matchAll(/^([A-Z_]+)=/gm)].map((match) => match[1]);
    expect(exampleKeys.toSorted()).toEqual(environmentKeys.toSorted());
  });
});
