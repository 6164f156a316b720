import type { FastifyInstance } from 'fastify';
import type { CreateRequestHandlerFunction, RequestHandler, RouterContextProvider, ServerBuild } from 'react-router';
import { findPermissionTitle } from '#modules/role/authenticate.ts';
import type { Endpoint, InputOf, OutputOf } from '#platform/contract/endpoint.ts';
import { AppError, httpErrors } from '#platform/contract/errors.ts';
import type { Context } from '#platform/server/context.ts';
import { toAppError } from '#platform/server/http/error-response.ts';
import {
  type Guard,
  parseInput,
  type Route,
  type RouteResult,
  recordRequest,
  runRoute,
  selectFields,
} from '#platform/server/http/route.ts';
import { apiRoutes } from './routes.ts';

/** Values that the server passes to the rendered pages; see entry.server.tsx. */
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
      /** After a login the browser returns to `path`. */
      renderSiteClosedPage(values: StaticPage & { statement: string; logo: string; path: string }): string;
      renderErrorPage(values: StaticPage & { status: number; message: string }): string;
    };
  };
};

/** The source of the pages: the build, or Vite in development. */
export type PageSource = {
  /** True if the code of the pages does not change while the process runs, so that pages can be cached. */
  isImmutable: boolean;
  /** Returns the code of all pages; in development the current one. */
  load(): Promise<{ build: WebBuild; handle: RequestHandler }>;
  stylesheetsOf(build: WebBuild): string[];
  serveFiles(app: FastifyInstance): Promise<void>;
};

/** Not taken from the Host header: a client must not be able to change links. */
const ORIGIN = 'http://douku.invalid';

const routesByName = new Map(apiRoutes.map((entry) => [`${entry.endpoint.method} ${entry.endpoint.path}`, entry]));

type RenderRequest = {
  url: string;
  method: 'GET' | 'HEAD';
  nonce: string;
  ctx: Context;
  checkSiteAccess: Guard['checkSiteAccess'];
  signal?: AbortSignal;
  /** Called with every API result that the page uses; without it each is recorded as a request of `ctx`. */
  onApiResult?: (route: Route, result: RouteResult) => void;
};

type WithoutStylesheets<T> = Omit<T, 'stylesheets'>;
type Module = WebBuild['entry']['module'];

export type Renderer = ReturnType<typeof createRenderer>;

/** Renders pages for a visitor; endpoints are called in this process. */
export function createRenderer(source: PageSource) {
  return {
    source,
    async renderSiteClosedPage(values: WithoutStylesheets<Parameters<Module['renderSiteClosedPage']>[0]>) {
      const { build } = await source.load();
      const stylesheets = source.stylesheetsOf(build);
      return build.entry.module.renderSiteClosedPage({ ...values, stylesheets });
    },
    async renderErrorPage(values: WithoutStylesheets<Parameters<Module['renderErrorPage']>[0]>) {
      const { build } = await source.load();
      const stylesheets = source.stylesheetsOf(build);
      return build.entry.module.renderErrorPage({ ...values, stylesheets });
    },
    async render(renderRequest: RenderRequest): Promise<Response> {
      const { url, method, nonce, ctx, checkSiteAccess, signal, onApiResult } = renderRequest;
      const { build, handle } = await source.load();
      // The page is always rendered for a visitor; the browser loads the personal parts.
      const visitor: Context = { ...ctx, user: null };
      const report = (error: unknown) => ctx.log.error({ err: error }, 'rendering a page failed');
      const api: PageContext['api'] = async <E extends Endpoint>({ method, path }: E, input: InputOf<E>) => {
        const entry = routesByName.get(`${method} ${path}`);
        if (!entry) throw httpErrors.notFound();
        const routeResult = await runRoute(
          entry,
          visitor,
          { checkSiteAccess, permissionTitle: findPermissionTitle },
          () => parseInput(entry.endpoint, { query: input, body: input }),
        ).catch((error: unknown) => {
          // The page must not show details of an unexpected error.
          if (!(error instanceof AppError)) report(error);
          throw toAppError(error);
        });
        if (onApiResult) onApiResult(entry, routeResult);
        else await recordRequest(entry, visitor, routeResult);
        return selectFields(routeResult) as OutputOf<E>;
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
