import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inArray } from 'drizzle-orm';
import pg from 'pg';
import { inject } from 'vitest';
import { buildContext } from '#app/server/build-context.ts';
import { buildServer } from '#app/server/build-server.ts';
import { loadBuiltPages } from '#app/server/built-pages.ts';
import { eventConsumers } from '#app/server/event-consumers.ts';
import { jobs } from '#app/server/jobs.ts';
import { createUser } from '#modules/account/account.ts';
import { openSession } from '#modules/account/session.ts';
import { doOtherConversionsWait } from '#modules/conversion/conversion-queue.ts';
import { convertDocument } from '#modules/conversion/convert/convert-document.ts';
import { startConversionDispatcher } from '#modules/conversion/convert/dispatcher.ts';
import { permissionCatalogue } from '#modules/role/permission-catalogue.ts';
import { permissions, rolePermissions, roles, userRoles } from '#modules/role/role.table.ts';
import { loadConfig } from '#platform/server/config.ts';
import type { Context } from '#platform/server/context.ts';
import { startEventDelivery } from '#platform/server/events/deliver-events.ts';
import { createLog } from '#platform/server/log.ts';
import { convertCached } from './cached-conversion.ts';
import { onTestOrFileFinished } from './on-test-or-file-finished.ts';
import { TEMPLATE_DATABASE } from './template-database.ts';

type Headers = { authorization?: string };
/** Requests of tests also finish on a machine that does other work. */
const BUSY_MACHINE_SECONDS = '600';

type TestAppOptions = {
  env?: NodeJS.ProcessEnv;
  /** Folder of the built pages; null for a server with only the API. */
  build?: string | null;
  /** Runs jobs and conversions; by default jobs are only queued. */
  runJobs?: boolean;
  /** Tests of the conversion itself convert each file; others use the cached output of an earlier test. */
  conversions?: 'cached' | 'real';
  /** Whether visitors get cached API responses. */
  cachesResponses?: boolean;
  /** Whether the consumers of the site follow changes, as on a running site. */
  deliversEvents?: boolean;
};

/** Creates a database for a test file from the seeded template. */
async function cloneDatabase(): Promise<string> {
  const server = inject('databaseUrl');
  const name = `test_${process.pid}_${crypto.randomUUID().slice(0, 8)}`;
  const client = new pg.Client(server);
  await client.connect();
  await client.query(`create database ${name} template ${TEMPLATE_DATABASE} strategy file_copy`);
  await client.end();
  return server.replace(/\/douku(\?|$)/, `/${name}$1`);
}

/**
 * Starts the whole server in this process, with a new database and storage folder. `clock.now` sets the time; `as` returns
 * request headers of a visitor or user.
 */
export async function testApp({
  env = {},
  build = null,
  runJobs = false,
  conversions: conversionKind = 'cached',
  deliversEvents = true,
  cachesResponses = false,
}: TestAppOptions = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'douku-app-'));
  const url = await cloneDatabase();
  const clock = { now: new Date('2026-03-01T08:00:00Z') };
  const config = loadConfig({ DATA_DIR: folder, LOG_LEVEL: 'error', REQUEST_TIMEOUT: BUSY_MACHINE_SECONDS, ...env });
  const log = createLog(config.logLevel);
  const { ctx, pool, close } = await buildContext(config, url, log, () => clock.now);
  await ctx.jobs.start(jobs, ctx, { runJobs });
  const app = await buildServer(ctx, pool, {
    log,
    pages: build === null ? null : await loadBuiltPages(build),
    cachesResponses,
  });
  const conversions = runJobs
    ? startConversionDispatcher(ctx, {
        convert: conversionKind === 'cached' ? convertCached : convertDocument,
        doOthersWait: doOtherConversionsWait,
        // A prepared LibreOffice starts faster, but few test files start it more than once.
        prepareConverters: async () => {},
      })
    : null;
  const eventDelivery = deliversEvents ? startEventDelivery(ctx, eventConsumers) : null;
  onTestOrFileFinished(async () => {
    await conversions?.stop();
    await eventDelivery?.stop();
    await app.close();
    await close();
    await rm(folder, { recursive: true, force: true });
  });
  return { app, ctx, pool, clock, url, folder, as: createTestIdentities(ctx) };
}

function createTestIdentities(ctx: Context) {
  const headersOf = async (userId: number): Promise<Headers> => ({
    authorization: `Bearer ${await openSession(ctx, userId)}`,
  });
  const newUser = async (name: string) => {
    const { id } = await createUser(ctx, {
      username: `${name}${crypto.randomUUID().slice(0, 6)}`,
      password: 'a-password',
    });
    return id;
  };
  return {
    visitor: {} as Headers,
    root: () => headersOf(1),
    user: async () => headersOf(await newUser('user')),
    /** A user whose only role grants exactly these permissions. */
    userWith: async (names: string[]): Promise<Headers> => {
      const id = await newUser('staff');
      const paths = permissionCatalogue.filter(({ name }) => names.includes(name));
      const permissionRows = await ctx.db
        .select({ id: permissions.id })
        .from(permissions)
        .where(
          inArray(
            permissions.path,
            paths.map(({ path }) => path),
          ),
        );
      const [role] = await ctx.db
        .insert(roles)
        .values({ title: `role-${id}` })
        .returning({ id: roles.id });
      if (!role || permissionRows.length !== names.length) throw new Error(`unknown permission in ${names}`);
      await ctx.db
        .insert(rolePermissions)
        .values(permissionRows.map((row) => ({ role_id: role.id, permission_id: row.id })));
      await ctx.db.insert(userRoles).values({ user_id: id, role_id: role.id });
      return headersOf(id);
    },
  };
}
