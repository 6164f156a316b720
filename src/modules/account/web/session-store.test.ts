import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { endpoint } from '#platform/contract/endpoint.ts';
import { callEndpoint } from '#platform/web/api.ts';

class MemoryStorage {
  items = new Map<string, string>();
  get length() {
    return this.items.size;
  }
  key = (at: number) => [...this.items.keys()][at] ?? null;
  getItem = (key: string) => this.items.get(key) ?? null;
  setItem = (key: string, value: string) => void this.items.set(key, value);
  removeItem = (key: string) => void this.items.delete(key);
  clear = () => this.items.clear();
}
const localStorage = new MemoryStorage();
const location = { pathname: '/' };
type Answer = [status: number, body: unknown, headers?: Record<string, string>];
const replies = new Map<string, Answer>();
const requests: { request: string; token: string | undefined }[] = [];

const user = { id: 7, username: '读者', email: 'reader@example.com' };
const permission = [{ id: 3, method: 'GRPC', path: '/api.v1.BannerAPI/ListBanner', title: '横幅列表' }];
let session: typeof import('./session-store.ts');
let toasts: typeof import('#platform/web/toast.ts');

beforeAll(async () => {
  vi.stubGlobal('window', { localStorage, location });
  session = await import('./session-store.ts');
  toasts = await import('#platform/web/toast.ts');
});
beforeEach(() => {
  vi.stubGlobal('window', { localStorage, location });
  vi.stubGlobal('fetch', async (url: string, { method, headers }: RequestInit) => {
    const request = `${method} ${url.replace('/api/v1', '')}`;
    requests.push({ request, token: (headers as Record<string, string>).authorization });
    const [status, body, answerHeaders = {}] = replies.get(request) ?? [404, {}];
    return new Response(JSON.stringify(body), { status, headers: answerHeaders });
  });
  replies.clear();
  location.pathname = '/';
  toasts.useToasts.setState({ toasts: [] });
  replies.set('POST /user/login', [200, { user, token: 'fresh' }]);
  replies.set('GET /user/permission', [200, { permission }]);
  replies.set('DELETE /user/logout', [200, {}]);
  requests.length = 0;
  session.useSession.setState({ user: null, token: '', permissions: [], pages: [] });
  session.useEndedSession.setState({ ended: null, hasDialog: false });
});
let stopFollowing = () => {};
afterEach(() => {
  stopFollowing();
  stopFollowing = () => {};
  vi.unstubAllGlobals();
});

const credentials = { username: '读者', password: 'correct horse' };
const lastToast = () => toasts.useToasts.getState().toasts.at(-1)?.text;

describe('a login', () => {
  it('stores user and token, then fetches the permissions', async () => {
    await session.login(credentials);
    expect(session.useSession.getState()).toMatchObject({
      user: { id: 7, username: '读者', signature: '' },
      token: 'fresh',
      permissions: [{ id: 3 }],
      pages: ['/admin/banner'],
    });
    expect(requests).toEqual([
      { request: 'POST /user/login', token: undefined },
      { request: 'GET /user/permission', token: 'Bearer fresh' },
    ]);
  });
  it('is stored for reloads under the key douku:user', async () => {
    await session.login(credentials);
    expect(JSON.parse(localStorage.getItem('douku:user') ?? '')).toMatchObject({
      state: { token: 'fresh', user: { id: 7 } },
    });
  });
  it('that the server refuses changes nothing and rejects with its message', async () => {
    replies.set('POST /user/login', [400, { code: 'user.wrongCredentials', message: '密码错误' }]);
    await expect(session.login(credentials)).rejects.toMatchObject({ message: '密码错误' });
    expect(session.getSessionUser()).toBeNull();
  });
  it('succeeds with a notice when the permissions cannot be fetched', async () => {
    replies.set('GET /user/permission', [500, {}]);
    await session.login(credentials);
    expect(session.getSessionUser()?.id).toBe(7);
    expect(lastToast()).toBe('获取权限失败');
  });
});

describe('the session', () => {
  it('has a current user only when the id of the user is above 0', async () => {
    await session.login(credentials);
    expect(session.getSessionUser()?.id).toBe(7);
    const { user } = session.useSession.getState();
    session.useSession.setState({ user: user && { ...user, id: 0 } });
    expect(session.getSessionUser()).toBeNull();
  });
  it('ends when the server answers with 401', async () => {
    await session.login(credentials);
    replies.set('GET /user', [401, { code: 'http.loginRequired', message: '请登录' }]);
    await expect(session.refreshUser()).rejects.toMatchObject({ status: 401 });
    expect(session.useSession.getState()).toMatchObject({
      user: null,
      token: '',
      permissions: [],
      pages: [],
    });
  });
  it('contains the new user after refreshUser', async () => {
    await session.login(credentials);
    replies.set('GET /user', [200, { ...user, signature: '安静读书' }]);
    await session.refreshUser();
    expect(session.getSessionUser()?.signature).toBe('安静读书');
  });
});

describe('a session that ended', () => {
  const loginAndLoseSession = async () => {
    location.pathname = '/admin/banner';
    await session.login(credentials);
    replies.set('GET /user', [401, { code: 'http.loginRequired', message: '请登录' }]);
    await expect(session.refreshUser()).rejects.toMatchObject({ status: 401 });
    expect(session.useEndedSession.getState().ended).toMatchObject({ userId: 7 });
  };

  /** Simulates another tab that stores sessions; `addresses` are those to which this tab navigated. */
  const followAnotherTab = () => {
    const listeners = new Map<string, (event: object) => void>();
    const addEventListener = (name: string, listen: (event: object) => void) => listeners.set(name, listen);
    const assign = vi.fn();
    vi.stubGlobal('window', {
      localStorage,
      location: { pathname: '/admin/banner', assign },
      addEventListener,
      removeEventListener: () => {},
    });
    vi.stubGlobal('document', { documentElement: { dataset: {} } });
    stopFollowing = session.syncSessionAcrossTabs();
    return {
      addresses: () => assign.mock.calls.flat(),
      /** The other tab stores a login before it has fetched the permissions. */
      store: (userId: number, token: string) => {
        const state = { user: { ...user, id: userId }, token, permissions: [], pages: [] };
        const newValue = JSON.stringify({ state, version: 0 });
        localStorage.setItem('douku:user', newValue);
        listeners.get('storage')?.({ key: 'douku:user', newValue });
      },
      clear: () => {
        localStorage.clear();
        listeners.get('storage')?.({ key: null, newValue: null });
      },
    };
  };
  const loginInAnotherTab = async (userId: number) => {
    const { store, addresses } = followAnotherTab();
    store(userId, 'from-another-tab');
    await expect.poll(() => session.useEndedSession.getState().ended).toBeNull();
    expect(session.useSession.getState().token).toBe('from-another-tab');
    return addresses();
  };

  it('is discarded when the user logs in again in another tab', async () => {
    session.useEndedSession.setState({ hasDialog: true });
    await loginAndLoseSession();
    expect(await loginInAnotherTab(7)).toEqual([]);
  });

  it('leads to /admin when another user logs in in another tab', async () => {
    session.useEndedSession.setState({ hasDialog: true });
    await loginAndLoseSession();
    expect(await loginInAnotherTab(8)).toEqual(['/admin']);
  });

  it('keeps its screen until the permissions of the login in another tab are fetched', async () => {
    session.useEndedSession.setState({ hasDialog: true });
    await loginAndLoseSession();
    followAnotherTab().store(7, 'from-another-tab');
    expect(session.useEndedSession.getState().ended).toMatchObject({ pages: ['/admin/banner'] });
    await expect.poll(() => session.useEndedSession.getState().ended).toBeNull();
    expect(session.useSession.getState().pages).toEqual(['/admin/banner']);
  });

  it('in another tab of the back-office ends in this tab too, and the screen waits for a new login', async () => {
    session.useEndedSession.setState({ hasDialog: true });
    await session.login(credentials);
    followAnotherTab().store(0, '');
    expect(session.useSession.getState().token).toBe('');
    const { ended: endedSession } = session.useEndedSession.getState();
    expect(endedSession).toMatchObject({ userId: 7, pages: ['/admin/banner'] });
  });

  it('by a logout in another tab does not wait for a new login', async () => {
    session.useEndedSession.setState({ hasDialog: true });
    await session.login(credentials);
    const { store, clear } = followAnotherTab();
    store(0, '');
    clear();
    expect(session.useSession.getState().token).toBe('');
    expect(session.useEndedSession.getState().ended).toBeNull();
  });

  it('keeps its permissions after a new login of the same user when they cannot be fetched', async () => {
    await loginAndLoseSession();
    replies.set('GET /user/permission', [503, { message: '稍后再试' }]);
    await session.login(credentials);
    expect(session.useSession.getState()).toMatchObject({
      token: 'fresh',
      permissions: [{ id: 3 }],
      pages: ['/admin/banner'],
    });
  });
});

describe('an answer with the header x-session: ended', () => {
  const publicList = endpoint({
    method: 'GET',
    path: '/thing/list',
    access: 'public',
    summary: '测试',
    input: z.object({}),
    output: z.object({ total: z.int() }),
  });
  beforeEach(async () => {
    await session.login(credentials);
    replies.set('GET /thing/list', [200, { total: 1 }, { 'x-session': 'ended' }]);
  });
  const notices = () => toasts.useToasts.getState().toasts.map(({ text }) => text);

  it('on a public page ends the session with one notice, and callers still get their answers', async () => {
    const lists = await Promise.all([callEndpoint(publicList, {}), callEndpoint(publicList, {})]);
    expect(lists).toEqual([{ total: 1 }, { total: 1 }]);
    expect(session.useSession.getState()).toMatchObject({ user: null, token: '' });
    expect(session.useEndedSession.getState().ended).toBeNull();
    expect(notices()).toEqual(['登录已失效，请重新登录']);
  });
  it('in the back-office rejects the call and keeps the pages for the login dialog without a notice', async () => {
    location.pathname = '/admin/banner';
    session.useEndedSession.setState({ hasDialog: true });
    await expect(callEndpoint(publicList, {})).rejects.toMatchObject({ status: 401 });
    expect(session.useEndedSession.getState().ended).toMatchObject({
      userId: 7,
      pages: ['/admin/banner'],
    });
    expect(notices()).toEqual([]);
    replies.set('GET /thing/list', [200, { total: 1 }]);
    await expect(callEndpoint(publicList, {})).rejects.toMatchObject({ status: 401 });
    await session.login(credentials);
    await expect(callEndpoint(publicList, {})).resolves.toEqual({ total: 1 });
  });
  it('does not end a newer session that another tab has stored, and adopts it', async () => {
    const storedSession = localStorage.getItem('douku:user') ?? '';
    localStorage.setItem('douku:user', storedSession.replace('fresh', 'from-another-tab'));
    await callEndpoint(publicList, {});
    expect(session.useSession.getState()).toMatchObject({ token: 'from-another-tab' });
    expect(localStorage.getItem('douku:user')).toContain('from-another-tab');
    expect(notices()).toEqual([]);
  });
  it('ends the session in this tab when another tab has already stored its end', async () => {
    const storedSession = localStorage.getItem('douku:user') ?? '';
    localStorage.setItem('douku:user', storedSession.replace('fresh', ''));
    await callEndpoint(publicList, {});
    expect(session.useSession.getState()).toMatchObject({ user: null, token: '' });
    expect(notices()).toEqual(['登录已失效，请重新登录']);
  });
});

describe('a logout', () => {
  it('from a session that the server had already ended shows no notice', async () => {
    await session.login(credentials);
    replies.set('DELETE /user/logout', [200, {}, { 'x-session': 'ended' }]);
    await session.logout();
    expect(session.useSession.getState().token).toBe('');
    expect(toasts.useToasts.getState().toasts).toEqual([]);
  });
  it('calls the server, then clears user, token and all local storage of the site', async () => {
    await session.login(credentials);
    localStorage.setItem('douku:setting', '{}');
    localStorage.setItem('key-of-a-counter', '1');
    await session.logout();
    expect(requests.at(-1)).toEqual({ request: 'DELETE /user/logout', token: 'Bearer fresh' });
    expect(session.getSessionUser()).toBeNull();
    expect([...localStorage.items.keys()]).toEqual([]);
  });
  it('clears the session also when the server does not answer', async () => {
    await session.login(credentials);
    replies.set('DELETE /user/logout', [503, { message: '稍后再试' }]);
    await expect(session.logout()).rejects.toMatchObject({ status: 503 });
    expect(session.useSession.getState().token).toBe('');
  });
});
