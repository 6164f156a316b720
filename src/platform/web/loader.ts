import { createContext, data, type LoaderFunctionArgs, type Params, RouterContextProvider } from 'react-router';
import { type Api, call } from './api.ts';

const apiContext = createContext<Api>();
const nonceContext = createContext<string>();
const reportContext = createContext<(error: unknown) => void>();

type Provided = {
  api: Api;
  /** Of the content security policy; on every inline script. */
  nonce: string;
  /** Where an unexpected error of rendering is written. */
  report: (error: unknown) => void;
};

/** What the server hands to each request. */
export function provide({ api, nonce, report }: Provided) {
  const context = new RouterContextProvider();
  context.set(apiContext, api);
  context.set(nonceContext, nonce);
  context.set(reportContext, report);
  return context;
}
type Context = Readonly<RouterContextProvider>;
export const nonceOf = (context: Context) => context.get(nonceContext);
export const reporterOf = (context: Context) => context.get(reportContext);

type PageArgs = { params: Params; request: Request };
export type Load<T> = (api: Api, args: PageArgs) => Promise<T>;

/** What the error page is given when the API refused. */
export type LoadFailure = {
  code: string;
  message: string;
  /** The server refused a visitor; a logged-in user may be answered differently. */
  isVisitorAnswer?: true;
};

type Refusal = { name: string; code: string; status: number; message: string };
/** By shape: the server's own copy of the class is not the bundled one. */
const isRefusal = (error: unknown): error is Refusal =>
  error instanceof Error && error.name === 'AppError' && 'status' in error && 'code' in error;

async function answer<T>(work: Promise<T>, isVisitorAnswer?: true): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const { code, message, status } = error;
    const failure: LoadFailure = { code, message, ...(isVisitorAnswer && { isVisitorAnswer }) };
    throw data(failure, { status });
  }
}

/** A page's data, had in process while the server renders it. */
export const serverLoader =
  <T>(load: Load<T>) =>
  ({ context, params, request }: LoaderFunctionArgs) =>
    answer(load(context.get(apiContext), { params, request }), true);

const callForNextPage: Api = (endpoint, input) => call(endpoint, input, { isNextPage: true });

/** The same data, had over HTTP when the browser goes to the page. */
export const browserLoader =
  <T>(load: Load<T>) =>
  ({ params, request }: { params: Params; request: Request }) =>
    answer(load(callForNextPage, { params, request }));

/** The `page` of the address; one that cannot be is not found. */
export function pageOf(request: Request): number {
  const page = Number(new URL(request.url).searchParams.get('page') ?? 1);
  if (!Number.isInteger(page) || page < 1 || page > 1_000_000) throw data(null, { status: 404 });
  return page;
}
