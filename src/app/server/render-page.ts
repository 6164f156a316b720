import type { FastifyInstance } from 'fastify';
import type { CreateRequestHandlerFunction, RequestHandler, RouterContextProvider, ServerBuild } from 'react-router';
import { permissionTitle } from '#modules/role/authenticate.ts';
import type { Endpoint, InputOf, OutputOf } from '#platform/contract/endpoint.ts';
import { AppError, httpErrors } from '#platform/contract/errors.ts';
import type { Context } from '#platform/server/context.ts';
import { toAppError } from '#platform/server/http/error-response.ts';
import { type Guard, parseInput, runRoute } from '#platform/server/http/route.ts';
import { apiRoutes } from './routes.ts';

/** What the server-rendered pages get from us; see entry.server.tsx. */
type PageContext = {
  api: <E extends Endpoint>(endpoint: E, input: InputOf<E>) => Promise<OutputOf<E>>;
  nonce: string;
  report: (error: unknown) => void;
};
type StaticPage = { sitename: string; favicon: string; stylesheets: string[]; nonce: string };
export type WebBuild = ServerBuild & {
  entry: {
    module: {
      createRequestHandler: CreateRequestHandlerFunction;
      provideContext(values: PageContext): RouterContextProvider;
      /** `path` is where the login leads back to. */
      renderClosed(values: StaticPage & { statement: string; logo: string; path: string }): string;
      renderRefusal(values: StaticPage & { status: number; message: string }): string;
    };
  };
};

/** Where the pages come from: the build, or in development Vite. */
export type PageSource = {
  /** Whether pages stay the same as long as the process runs, so that they may be cached. */
  isFixed: boolean;
  /** The code of all pages; in development it follows the sources. */
  load(): Promise<{ build: WebBuild; handle: RequestHandler }>;
  stylesheetsOf(build: WebBuild): string[];
  /** Serves scripts, style sheets and public files. */
  serveFiles(app: FastifyInstance): Promise<void>;
};

/** Never from the Host header: what a stranger sends must not reach a link. */
const ORIGIN = 'http://douku.invalid';

const table = new Map(apiRoutes.map((entry) => [`${entry.endpoint.method} ${entry.endpoint.path}`, entry]));

type Drawing = {
  /** Path and query. */
  url: string;
  method: 'GET' | 'HEAD';
  nonce: string;
  ctx: Context;
  admit: Guard['checkSiteAccess'];
  signal?: AbortSignal;
  /** Told what the page was made of. */
  onAnswer?: (endpoint: Endpoint, result: unknown) => void;
};

type WithoutStyle<T> = Omit<T, 'stylesheets'>;
type Module = WebBuild['entry']['module'];

export type Renderer = ReturnType<typeof createRenderer>;

/** Renders pages as a visitor sees them: endpoints are called in this process. */
export function createRenderer(source: PageSource) {
  return {
    source,
    async renderClosed(values: WithoutStyle<Parameters<Module['renderClosed']>[0]>) {
      const { build } = await source.load();
      const stylesheets = source.stylesheetsOf(build);
      return build.entry.module.renderClosed({ ...values, stylesheets });
    },
    async renderRefusal(values: WithoutStyle<Parameters<Module['renderRefusal']>[0]>) {
      const { build } = await source.load();
      const stylesheets = source.stylesheetsOf(build);
      return build.entry.module.renderRefusal({ ...values, stylesheets });
    },
    async render(drawing: Drawing): Promise<Response> {
      const { url, method, nonce, ctx, admit, signal, onAnswer } = drawing;
      const { build, handle } = await source.load();
      // Whoever it is, the page is that of a visitor; their own part comes in the browser.
      const visitor: Context = { ...ctx, user: null };
      const report = (error: unknown) => ctx.log.error({ err: error }, 'page failed');
      const api: PageContext['api'] = async <E extends Endpoint>({ method, path }: E, input: InputOf<E>) => {
        const entry = table.get(`${method} ${path}`);
        if (!entry) throw httpErrors.notFound();
        const result = await runRoute(entry, visitor, { checkSiteAccess: admit, permissionTitle }, () =>
          parseInput(entry.endpoint, { query: input, body: input }),
        ).catch((error: unknown) => {
          // A page gets nothing of an unknown error that it could show.
          if (!(error instanceof AppError)) report(error);
          throw toAppError(error);
        });
        onAnswer?.(entry.endpoint, result);
        return result as OutputOf<E>;
      };
      return handle(
        new Request(ORIGIN + url, {
          method,
          headers: { accept: 'text/html' },
          ...(signal && { signal }),
        }),
        build.entry.module.provideContext({
          api,
          nonce,
          report,
        }),
      );
    },
  };
}
