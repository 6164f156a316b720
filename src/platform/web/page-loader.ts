import { createContext, data, type LoaderFunctionArgs, type Params, RouterContextProvider } from 'react-router';
import { type Api, callEndpoint } from './api.ts';
import { settleAfterMinimumDisplay } from './minimum-display.ts';

const apiContext = createContext<Api>();
const nonceContext = createContext<string>();
const reportContext = createContext<(error: unknown) => void>();

type LoaderServices = {
  api: Api;
  /** Nonce of the content security policy for inline scripts. */
  nonce: string;
  /** Logs an unexpected rendering error. */
  report: (error: unknown) => void;
};

/** Context in which the server renders one request. */
export function createLoaderContext({ api, nonce, report }: LoaderServices) {
  const context = new RouterContextProvider();
  context.set(apiContext, api);
  context.set(nonceContext, nonce);
  context.set(reportContext, report);
  return context;
}
type RouterContext = Readonly<RouterContextProvider>;
export const nonceOf = (context: RouterContext) => context.get(nonceContext);
export const errorReporterOf = (context: RouterContext) => context.get(reportContext);

type PageArgs = { params: Params; request: Request };
export type PageLoad<T> = (api: Api, args: PageArgs) => Promise<T>;

/** Data of the error page after an API error. */
export type LoadFailure = {
  code: string;
  message: string;
  /** The server rendered for a visitor; a logged-in user may get another response. */
  isVisitorAnswer?: true;
};

type ApiError = { name: string; code: string; status: number; message: string };
/** Checks the shape: the server's AppError is not the class in the bundle, so instanceof fails. */
const isApiError = (error: unknown): error is ApiError =>
  error instanceof Error && error.name === 'AppError' && 'status' in error && 'code' in error;

async function throwApiErrorAsResponse<T>(request: Promise<T>, isVisitorAnswer?: true): Promise<T> {
  try {
    return await request;
  } catch (error) {
    if (!isApiError(error)) throw error;
    const { code, message, status } = error;
    const failure: LoadFailure = { code, message, ...(isVisitorAnswer && { isVisitorAnswer }) };
    throw data(failure, { status });
  }
}

/** Loads the data of a page in process while the server renders it. */
export const serverLoader =
  <T>(load: PageLoad<T>) =>
  ({ context, params, request }: LoaderFunctionArgs) =>
    throwApiErrorAsResponse(load(context.get(apiContext), { params, request }), true);

const callForNextPage: Api = (endpoint, input) => callEndpoint(endpoint, input, { isNextPage: true });

let isSkeletonDisplayed = false;

/** Loads the page again while a skeleton is displayed in its place. */
export async function reloadBehindSkeleton(revalidate: () => Promise<void>): Promise<void> {
  isSkeletonDisplayed = true;
  try {
    await revalidate();
  } finally {
    isSkeletonDisplayed = false;
  }
}

/** Loads the data of a page over HTTP when the browser navigates to it. */
export const browserLoader =
  <T>(load: PageLoad<T>) =>
  ({ params, request }: { params: Params; request: Request }) => {
    const response = load(callForNextPage, { params, request });
    return throwApiErrorAsResponse(isSkeletonDisplayed ? settleAfterMinimumDisplay(response) : response);
  };

/** The `page` parameter of the URL. An invalid number responds with 404. */
export function pageNumberOf(request: Request): number {
  const page = Number(new URL(request.url).searchParams.get('page') ?? 1);
  if (!Number.isInteger(page) || page < 1 || page > 1_000_000) throw data(null, { status: 404 });
  return page;
}
