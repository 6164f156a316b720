import { setTimeout as sleep } from 'node:timers/promises';
import { writeChm } from '#app/demo/write-chm.ts';
import { writePptx } from '#app/demo/write-pptx.ts';
import { ProgramMissing } from '#modules/conversion/convert/conversion-errors.ts';
import { makeDocx, makeEpub } from '#modules/conversion/document-files.fixture.ts';
import { documentStatus } from '#modules/document/document.contract.ts';
import { findFreePort } from '#testing/free-port.ts';
import type { ContainerEngine } from './container-engine.ts';
import { ADMIN_PASSWORD } from './killable-server.ts';
import { isComplete, type Progress, siteClient } from './site-client.ts';

const READY_TIMEOUT_MS = 120_000;
const MAX_STOP_SECONDS = 10;
/** A worker checks every minute whether missing programs have become available. */
const RESUME_TIMEOUT_MS = 150_000;
/** The embedded database of the container `alone`, in the volume that the containers share. */
const DATABASE_URL = 'postgresql://postgres@localhost/douku?host=%2Fdata%2Fpostgres%2Fsocket';
const WAITING_REASON = new ProgramMissing('沙箱 bubblewrap').message;

export type Images = { web: string; full: string };
type ContainerRole = {
  name: string;
  image: string;
  environment: Record<string, string>;
  securityOptions?: readonly string[];
};

function assert(condition: boolean, problem: string): asserts condition {
  if (!condition) throw new Error(problem);
}

/** Runs the images in containers that share a volume. `removeAll` deletes the containers and the volume. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: its functions share its state, as the methods of a class
export function imageRunner(engine: ContainerEngine, images: Images, workerOptions: string[]) {
  const prefix = `douku-image-test-${process.pid}`;
  const volume = `${prefix}-data`;
  const containerNames: string[] = [];

  async function start({ name, image, environment, securityOptions = [] }: ContainerRole) {
    const container = `${prefix}-${name}`;
    const port = await findFreePort();
    containerNames.push(container);
    await engine.start({
      name: container,
      image,
      volume,
      securityOptions,
      environment: {
        ...environment,
        HOST: '127.0.0.1',
        PORT: String(port),
        ADMIN_PASSWORD,
        LOG_LEVEL: 'warn',
      },
    });
    const userId = await engine.exec(container, 'id', '-u');
    assert(userId !== '0', `${name} 以 root 身份运行`);
    console.log(`${name}：以用户 ${userId} 运行`);
    return { name, container, origin: `http://127.0.0.1:${port}` };
  }
  type RunningContainer = Awaited<ReturnType<typeof start>>;

  async function waitUntilReady({ name, container, origin }: RunningContainer): Promise<void> {
    const startedAt = performance.now();
    while (performance.now() - startedAt < READY_TIMEOUT_MS) {
      const isReady = await fetch(`${origin}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
      if (isReady) {
        const seconds = (performance.now() - startedAt) / 1000;
        console.log(`${name}：/readyz 在 ${seconds.toFixed(1)} 秒后回答`);
        return;
      }
      if (!(await engine.isRunning(container))) break;
      await sleep(200);
    }
    throw new Error(`${name} 没有启动：\n${await engine.logs(container)}`);
  }

  async function stop({ name, container }: RunningContainer): Promise<void> {
    const { seconds, exitCode } = await engine.stop(container);
    console.log(`${name}：SIGTERM 后 ${seconds.toFixed(1)} 秒停止`);
    assert(exitCode === 0, `${name} 停止时的退出码是 ${exitCode}`);
    assert(seconds <= MAX_STOP_SECONDS, `${name} 没有在 ${MAX_STOP_SECONDS} 秒内停止`);
  }

  const runDouku = ({ container }: RunningContainer, ...args: string[]) =>
    engine.exec(container, 'npm', 'run', '-s', 'douku', '--', ...args);

  /** Uses calibre in the container, because the repository cannot write MOBI. */
  async function makeMobi({ container }: RunningContainer): Promise<Buffer> {
    const epub = makeEpub([{ title: '一', html: '<p>电子书</p>' }]).toString('base64');
    const script = 'cd /tmp && echo "$0" | base64 -d > b.epub && ebook-convert b.epub b.mobi >&2 && base64 b.mobi';
    const output = await engine.exec(container, 'sh', '-c', script, epub);
    return Buffer.from(output, 'base64');
  }

  /** Runs the image `full` without the security options of the worker; returns the id of the waiting document. */
  async function runAlone(): Promise<number> {
    const site = await start({ name: 'alone', image: images.full, environment: {} });
    await waitUntilReady(site);
    await runDouku(site, 'config', 'set', 'security.enable_captcha_login', 'false');
    const client = await siteClient(`${site.origin}/api/v1`);
    const id = await addDocument(client, 'docx', makeDocx('等待沙箱'));
    await client.waitUntil(id, ({ reason }) => reason === WAITING_REASON);
    console.log(`alone：没有 worker 的选项时，文档显示“${WAITING_REASON}”`);
    await stop(site);
    return id;
  }

  /** Runs both images in the roles of compose.yaml, with another container for the database. */
  async function runComposed(waitingId: number): Promise<void> {
    const database = await start({
      name: 'database',
      image: images.full,
      environment: { MODE: 'web' },
    });
    await waitUntilReady(database);
    const web = await start({
      name: 'web',
      image: images.web,
      environment: { MODE: 'web', DATABASE_URL },
    });
    const worker = await start({
      name: 'worker',
      image: images.full,
      environment: { MODE: 'worker', DATABASE_URL },
      securityOptions: workerOptions,
    });
    await waitUntilReady(web);
    const client = await siteClient(`${web.origin}/api/v1`);
    const id = await addDocument(client, 'docx', makeDocx('豆库的镜像'));
    const seconds = (await client.waitUntil(id, isComplete)) / 1000;
    console.log(`worker：DOCX 在 ${seconds.toFixed(1)} 秒内转换`);
    await assertPageImage(client, id, web.origin);
    await client.waitUntil(waitingId, isComplete, RESUME_TIMEOUT_MS);
    await assertPageImage(client, waitingId, web.origin);
    console.log('worker：等待过的文档已自动转换');
    const samples = { pptx: await makeDeck(), chm: makeHelpBook(), mobi: await makeMobi(worker) };
    for (const [extension, bytes] of Object.entries(samples)) {
      const sample = await addDocument(client, extension, bytes);
      await client.waitUntil(sample, isFinished);
      await assertConverted(client, sample);
      console.log(`worker：${extension.toUpperCase()} 已转换`);
    }
    const doctorReport = await runDouku(worker, 'doctor');
    assert(/^✓ bubblewrap：已安装$/m.test(doctorReport), `worker 的 doctor：\n${doctorReport}`);
    for (const container of [web, worker, database]) await stop(container);
  }

  async function existingContainers(): Promise<string[]> {
    const exist = await Promise.all(containerNames.map(engine.hasContainer));
    return containerNames.filter((_, index) => exist[index]);
  }

  async function logs(): Promise<string> {
    return (await Promise.all((await existingContainers()).map(engine.logs))).join('\n');
  }

  async function removeAll(): Promise<void> {
    for (const name of await existingContainers()) await engine.remove(name);
    await engine.removeVolume(volume);
  }

  return { runAlone, runComposed, logs, removeAll };
}

type Client = Awaited<ReturnType<typeof siteClient>>;

const addDocument = async (client: Client, extension: string, bytes: Buffer): Promise<number> =>
  client.create(await client.upload(`镜像.${extension}`, bytes));

function makeDeck(): Promise<Buffer> {
  const style = { design: 'plain', palette: 'slate' } as const;
  const cover = { titleLines: ['镜像'], subtitle: '', author: '豆库', ...style };
  return writePptx({ kind: 'deck', cover, body: '## 一\n\n- 幻灯片\n' });
}

const makeHelpBook = (): Buffer => writeChm('镜像', [{ title: '一', blocks: [{ kind: 'text', text: '帮助' }] }]);

const isFinished = ({ status }: Progress) => status === documentStatus.converted || status === documentStatus.failed;

async function assertConverted(client: Client, id: number): Promise<void> {
  const { status, reason } = await client.progress(id);
  assert(status === documentStatus.converted, `文档 ${id} 没有转换：${reason}`);
}

/** The web container serves the page image that the worker stored. */
async function assertPageImage(client: Client, id: number, origin: string): Promise<void> {
  await assertConverted(client, id);
  const { page } = await client.request<{ page: { url: string }[] }>(`/document/pages?id=${id}`);
  const image = await fetch(new URL(page[0]?.url ?? '', origin), { headers: client.bearer });
  const type = image.headers.get('content-type') ?? '';
  assert(image.ok && type.startsWith('image/'), `文档 ${id} 的页面图片：${image.status} ${type}`);
}
